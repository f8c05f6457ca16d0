import { Badge, Tabs, VisuallyHidden } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import type { ReactNode } from 'react'
import { BacktestPart } from './backtest-part.tsx'
import classes from './builder.module.css'
import type { Builder } from './builder-state.ts'
import { ChangesPart } from './changes-part.tsx'
import type { Trigger } from './definition.ts'
import { tabPaths } from './fields.ts'
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
type Part = { value: string; title: string; draw: (props: PartProps) => ReactNode }

/** In the order in which an item passes them. */
const parts: Part[] = [
  { value: 'source', title: 'Source', draw: (props) => <SourcePart {...props} /> },
  { value: 'fields', title: 'Fields', draw: (props) => <FieldsPart {...props} /> },
  { value: 'providers', title: 'Providers', draw: (props) => <ProvidersPart {...props} /> },
  { value: 'scripts', title: 'Scripts', draw: (props) => <ScriptsPart {...props} /> },
  { value: 'message', title: 'Message', draw: (props) => <MessagePart {...props} /> },
  { value: 'json', title: 'JSON', draw: (props) => <JsonPart {...props} /> },
  { value: 'changes', title: 'Changes', draw: (props) => <ChangesPart {...props} /> },
  { value: 'backtest', title: 'Backtest', draw: (props) => <BacktestPart {...props} /> },
]

export function BuilderTabs(props: PartProps) {
  return (
    <Tabs defaultValue="source" keepMounted={false} className={classes.panel}>
      <Tabs.List className={classes.tabs} aria-label="Parts of the trigger" mb="md">
        {parts.map(({ value, title }) => (
          <Tabs.Tab key={value} value={value} className={classes.tab} rightSection={count(props.issues, title)}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {parts.map(({ value, title, draw }) => (
        <Tabs.Panel key={value} value={value}>
          <VisuallyHidden component="h2">{title}</VisuallyHidden>
          {draw(props)}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** Undefined, not empty, so that a tab without issues keeps no room for a number. */
function count(issues: Issue[], title: string): ReactNode {
  const owns = tabPaths.find(([tab]) => tab === title)?.[1]
  const found = owns ? issues.filter(({ path }) => owns.test(path)).length : 0
  if (found === 0) return undefined
  return (
    <Badge size="sm" color="red.9" circle={found < 10} aria-label={found === 1 ? '1 issue' : `${found} issues`}>
      {found}
    </Badge>
  )
}
