import { Badge, Tabs, VisuallyHidden } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import type { ReactNode } from 'react'
import type { Trigger } from '../model/definition.ts'
import { BacktestTab } from './backtest/backtest-tab.tsx'
import classes from './builder.module.css'
import { ChangesTab } from './changes-tab.tsx'
import { FieldsTab } from './fields-tab.tsx'
import { JsonTab } from './json-tab.tsx'
import { MessageTab } from './message-tab.tsx'
import panel from './preview/preview-panel.module.css'
import { ProvidersTab } from './providers/providers-tab.tsx'
import { ScriptsTab } from './scripts-tab.tsx'
import { SourceTab } from './source/source-tab.tsx'
import type { Builder } from './state/builder-state.ts'
import { tabPaths } from './state/issue-fields.ts'

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
  { value: 'source', title: 'Source', draw: (props) => <SourceTab {...props} /> },
  { value: 'fields', title: 'Fields', draw: (props) => <FieldsTab {...props} /> },
  { value: 'providers', title: 'Providers', draw: (props) => <ProvidersTab {...props} /> },
  { value: 'scripts', title: 'Scripts', draw: (props) => <ScriptsTab {...props} /> },
  { value: 'message', title: 'Message', draw: (props) => <MessageTab {...props} /> },
  { value: 'json', title: 'JSON', draw: (props) => <JsonTab {...props} /> },
  { value: 'changes', title: 'Changes', draw: (props) => <ChangesTab {...props} /> },
  { value: 'backtest', title: 'Backtest', draw: (props) => <BacktestTab {...props} /> },
]

export function BuilderTabs(props: PartProps) {
  return (
    <Tabs defaultValue="source" keepMounted={false} className={panel.panel}>
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
