import { Badge, Group, Select, Stack, Tabs, Text, TextInput, VisuallyHidden } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import type { ReactNode } from 'react'
import { DocsLink } from '../../../components/docs/docs-link.tsx'
import type { DocsTopic } from '../../../components/docs/docs-pages.ts'
import { issueAt } from '../../../components/issue-list.tsx'
import pipeline from '../../../components/patterns/pipeline.module.css'
import { type Stage, StageText } from '../../../components/patterns/pipeline.tsx'
import type { RowResult } from '../../../forms/conditions/condition-form.ts'
import { isObject } from '../../../forms/json.ts'
import { JsonField } from '../../../forms/json-field.tsx'
import { LongText } from '../../../forms/long-text.tsx'
import { MessageFields } from '../../../layouts/message/message-fields.tsx'
import { canonical, type Definition, definitionOf, type Trigger, textOf } from '../model/definition.ts'
import { readDefinition } from '../model/read-definition.ts'
import { Subscribers } from '../subscribers/subscribers.tsx'
import { useSubscriptionCount } from '../subscribers/use-subscription-count.ts'
import { BacktestTab } from './backtest/backtest-tab.tsx'
import classes from './builder.module.css'
import { ConditionTab } from './condition-tab.tsx'
import { DataTab } from './data-tab.tsx'
import panel from './preview/preview-panel.module.css'
import { DefinitionDiff, diffOf } from './saving/definition-diff.tsx'
import { SourceTab } from './source/source-tab.tsx'
import { type Builder, invalidTextIn } from './state/builder-state.ts'
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

/** The difference between the published version and the draft. */
function ChangesTab({ builder, published }: { builder: Builder; published: Trigger | undefined }) {
  if (!published) return <Text c="dimmed">This trigger was never published. All of it is new.</Text>
  const lines = diffOf(definitionOf(published), builder.state.definition)
  const added = lines.filter(({ kind }) => kind === 'added').length
  const removed = lines.filter(({ kind }) => kind === 'removed').length
  if (added + removed === 0) return <Text c="dimmed">No changes. The draft equals the published version.</Text>
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs">
        Publishing adds {added} and removes {removed} lines.
      </Text>
      <DefinitionDiff lines={lines} />
    </>
  )
}

/** Who gets the alerts. Destinations belong to subscriptions, so a draft sends nothing. */
function DestinationsTab({ published }: { published: Trigger | undefined }) {
  const active = useSubscriptionCount(published?.fullname)
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Each subscription chooses its own destinations. A draft sends nothing; the published version goes on sending.
      </Text>
      {published ? (
        <Subscribers trigger={published} active={active} />
      ) : (
        <Text>Publish the trigger, then subscribe to it.</Text>
      )}
    </Stack>
  )
}

const names = ['name', 'fullname', 'project', 'workspace'] as const

/** The path of this tab's invalid text. */
const jsonPath = 'definition'

/** Edits the whole definition as JSON. Changes appear in the other tabs. */
function JsonTab({ builder }: { builder: Builder }) {
  const { state, dispatch } = builder
  const { definition } = state
  return (
    <JsonField
      label="Definition"
      description="The JSON of the API. Names cannot be changed."
      value={canonical(definition)}
      accepts={(value) => readSameName(value, definition) !== undefined}
      refusal="Invalid definition: a field has the wrong type, or a name was changed."
      onChange={(value) => {
        const read = readSameName(value, definition)
        if (read) dispatch({ type: 'replace', definition: read })
      }}
      isRequired
      invalidText={invalidTextIn(builder, jsonPath, 'Definition (JSON tab)')}
      minHeight={420}
    />
  )
}

/** Undefined if the definition is invalid or has another name. */
function readSameName(value: unknown, before: Definition): Definition | undefined {
  if (!isObject(value) || names.some((name) => value[name] !== before[name])) return undefined
  return readDefinition(value)
}

const modes = [
  { value: 'continuous', label: 'Every time' },
  { value: 'once', label: 'Once per subscription' },
  { value: 'once_per_key', label: 'Once per key' },
]

/** Title, description and message of the trigger. */
function MessageTab({ builder: { state, dispatch }, issues }: { builder: Builder; issues: Issue[] }) {
  const { meta, defaults = {} } = state.definition
  const put = (name: string, value: unknown) =>
    dispatch({ type: 'change', part: { defaults: { ...defaults, [name]: value } } })
  const delivery = isObject(defaults.delivery) ? defaults.delivery : {}
  return (
    <Stack gap="md">
      <TextInput
        label="Title"
        value={meta.title}
        onChange={(event) =>
          dispatch({ type: 'change', part: { meta: { ...meta, title: event.currentTarget.value } } })
        }
        error={issueAt(issues, 'meta.title')}
      />
      <LongText
        label="Description"
        minRows={2}
        maxRows={16}
        value={meta.description ?? ''}
        onText={(description) => dispatch({ type: 'change', part: { meta: { ...meta, description } } })}
        error={issueAt(issues, 'meta.description')}
      />
      <MessageFields value={defaults} put={put} errorOf={(path) => issueAt(issues, `defaults.${path}`)} />
      <Select
        label="Delivery"
        data={modes}
        value={textOf(delivery.mode) || 'continuous'}
        onChange={(mode) =>
          put('delivery', mode === 'continuous' && delivery.finality === undefined ? undefined : { ...delivery, mode })
        }
        allowDeselect={false}
      />
      {delivery.mode === 'once_per_key' && (
        <TextInput
          label="Key"
          description="A path in the raw output, such as “to” or “params.id”."
          value={textOf(delivery.keyPath)}
          onChange={(event) => put('delivery', { ...delivery, keyPath: event.currentTarget.value || undefined })}
        />
      )}
    </Stack>
  )
}
