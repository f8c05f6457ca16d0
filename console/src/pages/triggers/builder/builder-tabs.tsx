import { Badge, Tabs, VisuallyHidden } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import type { ReactNode } from 'react'
import type { Trigger } from '../model/definition.ts'
import { BacktestTab } from './backtest/backtest-tab.tsx'
import classes from './builder.module.css'
import { ChangesTab } from './changes-tab.tsx'
import { ConditionsTab } from './conditions-tab.tsx'
import { FieldsTab } from './fields-tab.tsx'
import { JsonTab } from './json-tab.tsx'
import { MessageTab } from './message-tab.tsx'
import panel from './preview/preview-panel.module.css'
import { ProvidersTab } from './providers/providers-tab.tsx'
import { ScriptsTab } from './scripts-tab.tsx'
import { SourceTab } from './source/source-tab.tsx'
import type { Builder } from './state/builder-state.ts'
import { tabPaths } from './state/issue-fields.ts'

type TabProps = {
  builder: Builder
  issues: Issue[]
  /** The raw output of the live preview. */
  raw: unknown
  published: Trigger | undefined
}
type Tab = { value: string; title: string; render: (props: TabProps) => ReactNode }

/** In the order in which the service evaluates an item. */
const tabs: Tab[] = [
  { value: 'source', title: 'Source', render: (props) => <SourceTab {...props} /> },
  { value: 'fields', title: 'Fields', render: (props) => <FieldsTab {...props} /> },
  { value: 'providers', title: 'Providers', render: (props) => <ProvidersTab {...props} /> },
  { value: 'conditions', title: 'Conditions', render: (props) => <ConditionsTab {...props} /> },
  { value: 'scripts', title: 'Scripts', render: (props) => <ScriptsTab {...props} /> },
  { value: 'message', title: 'Message', render: (props) => <MessageTab {...props} /> },
  { value: 'json', title: 'JSON', render: (props) => <JsonTab {...props} /> },
  { value: 'changes', title: 'Changes', render: (props) => <ChangesTab {...props} /> },
  { value: 'backtest', title: 'Backtest', render: (props) => <BacktestTab {...props} /> },
]

export function BuilderTabs(props: TabProps) {
  return (
    <Tabs defaultValue="source" keepMounted={false} className={panel.panel}>
      <Tabs.List className={classes.tabs} aria-label="Trigger definition" mb="md">
        {tabs.map(({ value, title }) => (
          <Tabs.Tab key={value} value={value} className={classes.tab} rightSection={count(props.issues, title)}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, title, render }) => (
        <Tabs.Panel key={value} value={value}>
          <VisuallyHidden component="h2">{title}</VisuallyHidden>
          {render(props)}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

/** The number of issues. Undefined for none, because an empty element would take space. */
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
