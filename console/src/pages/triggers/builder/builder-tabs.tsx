import { Badge, Group, Tabs, VisuallyHidden } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import type { ReactNode } from 'react'
import { DocsLink } from '../../../components/docs/docs-link.tsx'
import type { DocsTopic } from '../../../components/docs/docs-pages.ts'
import pipeline from '../../../components/patterns/pipeline.module.css'
import { type Stage, StageText } from '../../../components/patterns/pipeline.tsx'
import type { RowResult } from '../../../forms/conditions/condition-form.ts'
import type { Trigger } from '../model/definition.ts'
import { BacktestTab } from './backtest/backtest-tab.tsx'
import classes from './builder.module.css'
import { ChangesTab } from './changes-tab.tsx'
import { ConditionTab } from './condition-tab.tsx'
import { DataTab } from './data-tab.tsx'
import { DestinationsTab } from './destinations-tab.tsx'
import { JsonTab } from './json-tab.tsx'
import { MessageTab } from './message-tab.tsx'
import panel from './preview/preview-panel.module.css'
import { SourceTab } from './source/source-tab.tsx'
import type { Builder } from './state/builder-state.ts'
import { tabPaths } from './state/issue-fields.ts'

type TabProps = {
  builder: Builder
  issues: Issue[]
  /** The raw output of the live preview. */
  raw: unknown
  /** What the sample gave for each comparison. */
  results: readonly RowResult[] | undefined
  published: Trigger | undefined
}
type Tab = { title: string; topics: DocsTopic[]; render: (props: TabProps) => ReactNode }

/** The tab of each stage of the pipeline. */
const stageTabs: Tab[] = [
  { title: 'Source', topics: ['triggers', 'fields'], render: (props) => <SourceTab {...props} /> },
  { title: 'Condition', topics: ['conditions'], render: (props) => <ConditionTab {...props} /> },
  { title: 'Data', topics: ['providers', 'scripts'], render: (props) => <DataTab {...props} /> },
  { title: 'Message', topics: ['messages'], render: (props) => <MessageTab {...props} /> },
  { title: 'Destinations', topics: ['channels', 'policies'], render: (props) => <DestinationsTab {...props} /> },
]
/** Other views of the whole definition. */
const wholeTabs: Tab[] = [
  { title: 'JSON', topics: ['trigger'], render: (props) => <JsonTab {...props} /> },
  { title: 'Changes', topics: ['triggers'], render: (props) => <ChangesTab {...props} /> },
  { title: 'Backtest', topics: ['history'], render: (props) => <BacktestTab {...props} /> },
]

type BuilderTabsProps = TabProps & { stages: Stage[]; about: ReactNode; side: ReactNode }

/** The pipeline as tabs: a stage shows what the sample gave there, and opens its form. */
export function BuilderTabs({ stages, about, side, ...props }: BuilderTabsProps) {
  return (
    <Tabs defaultValue="Source" keepMounted={false} variant="none">
      <div className={classes.pipeline}>
        <Tabs.List className={`${pipeline.pipeline} ${classes.stages}`} aria-label="Pipeline">
          {stages.map((stage) => (
            <Tabs.Tab
              key={stage.name}
              value={stage.name}
              className={`${pipeline.stage} ${classes.stage}`}
              classNames={{ tabLabel: classes.label }}
              data-state={stage.state}
            >
              <StageText {...stage} badge={count(props.issues, stage.name)} />
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <div className={classes.foot}>
          <div className={classes.about}>{about}</div>
          <Tabs.List className={classes.whole} aria-label="Whole definition">
            {wholeTabs.map(({ title }) => (
              <Tabs.Tab key={title} value={title} className={classes.tab}>
                {title} {count(props.issues, title)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </div>
      </div>
      <div className={classes.builder}>
        <div className={panel.panel}>
          {[...stageTabs, ...wholeTabs].map(({ title, topics, render }) => (
            <Tabs.Panel key={title} value={title}>
              <VisuallyHidden component="h2">{title}</VisuallyHidden>
              {render(props)}
              <Group justify="flex-end" gap="md" mt="md">
                {topics.map((topic) => (
                  <DocsLink key={topic} topic={topic} />
                ))}
              </Group>
            </Tabs.Panel>
          ))}
        </div>
        {side}
      </div>
    </Tabs>
  )
}

/** The number of issues; undefined for none. */
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
