import { Badge, Tabs } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import type { ReactNode } from 'react'
import { BacktestPart } from './backtest-part.tsx'
import classes from './builder.module.css'
import type { Builder } from './builder-state.ts'
import { ChangesPart } from './changes-part.tsx'
import type { Trigger } from './definition.ts'
import { FieldsPart } from './fields-part.tsx'
import { JsonPart } from './json-part.tsx'
import { MessagePart } from './message-part.tsx'
import { ProvidersPart } from './providers-part.tsx'
import { ScriptsPart } from './scripts-part.tsx'
import { SourcePart } from './source-part.tsx'

type PartProps = {
  builder: Builder
  issues: Issue[]
  /** The raw output of the live preview. */
  raw: unknown
  published: Trigger | undefined
}
type Part = { value: string; title: string; owns?: RegExp; draw: (props: PartProps) => ReactNode }

/** In the order in which an item passes them; `owns` are the paths whose issues are told on the tab. */
const parts: Part[] = [
  { value: 'source', title: 'Source', owns: /^(triggerSpec|backend)/, draw: (props) => <SourcePart {...props} /> },
  {
    value: 'fields',
    title: 'Fields',
    owns: /^(inputs|filtersSchema|outputSchema)/,
    draw: (props) => <FieldsPart {...props} />,
  },
  { value: 'providers', title: 'Providers', owns: /^providers/, draw: (props) => <ProvidersPart {...props} /> },
  { value: 'scripts', title: 'Scripts', owns: /^(activation|transform)/, draw: (props) => <ScriptsPart {...props} /> },
  { value: 'message', title: 'Message', owns: /^(defaults|meta)/, draw: (props) => <MessagePart {...props} /> },
  { value: 'json', title: 'JSON', draw: (props) => <JsonPart {...props} /> },
  { value: 'changes', title: 'Changes', draw: (props) => <ChangesPart {...props} /> },
  { value: 'backtest', title: 'Backtest', draw: (props) => <BacktestPart {...props} /> },
]

export function BuilderTabs(props: PartProps) {
  return (
    <Tabs defaultValue="source" keepMounted={false} className={classes.panel}>
      <Tabs.List className={classes.tabs} aria-label="Parts of the trigger" mb="md">
        {parts.map(({ value, title, owns }) => (
          <Tabs.Tab key={value} value={value} className={classes.tab}>
            {title}
            <Count issues={props.issues} owns={owns} />
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {parts.map(({ value, draw }) => (
        <Tabs.Panel key={value} value={value}>
          {draw(props)}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

function Count({ issues, owns }: { issues: Issue[]; owns: RegExp | undefined }) {
  const count = owns ? issues.filter(({ path }) => owns.test(path)).length : 0
  if (count === 0) return null
  return (
    <Badge ml={6} size="sm" color="red.9" circle={count < 10} aria-label={count === 1 ? '1 issue' : `${count} issues`}>
      {count}
    </Badge>
  )
}
