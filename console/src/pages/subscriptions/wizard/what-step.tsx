import { Button, Group, Radio, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import cards from '../../../components/choice-cards.module.css'
import { IconProject, IconSearch } from '../../../components/icons.tsx'
import { LinkButton } from '../../../components/links.tsx'
import { Part } from '../../../components/patterns/part.tsx'
import { Label } from '../../../components/status.tsx'
import { ListError } from '../../../components/table/table-states.tsx'
import { useApiList } from '../../../data/lists.ts'
import { useApiQuery } from '../../../data/queries.ts'
import { ConditionField } from '../../../forms/conditions/condition-field.tsx'
import { filterNames } from '../../../forms/conditions/condition-form.ts'
import { useItemToken } from '../../../forms/conditions/use-item-token.ts'
import { initialValues } from '../../../forms/value-form/read-fields.ts'
import { ValueFields } from '../../../forms/value-form/value-fields.tsx'
import { FirstStepsState } from '../../../layouts/first-steps-state.tsx'
import { ProjectMark } from '../../../layouts/project/project-mark.tsx'
import { emptyDraft, noConditions } from '../model/draft.ts'
import { AlertsField } from './alerts-field.tsx'
import { fieldsFor, type StepProps, triggerOf } from './steps.ts'
import classes from './wizard.module.css'

/** Step 1: the project, its topics or one of its triggers, what these need to know, and filters. */
export function WhatStep(props: StepProps) {
  const { draft, change, projectData } = props
  if (draft.project === '') return <ProjectField {...props} />
  const hasFilters = draft.kind === 'trigger' && triggerOf(draft, projectData) !== undefined
  const { template, topics, trigger, values } = emptyDraft
  return (
    <Stack gap="lg">
      <ChosenProject
        fullname={draft.project}
        change={() => change({ project: '', template, topics, trigger, values, ...noConditions })}
      />
      <AlertsField {...props} />
      <Settings {...props} />
      {hasFilters && (
        <Part title="Filters">
          <FiltersField {...props} />
        </Part>
      )}
    </Stack>
  )
}

function ChosenProject({ fullname, change }: { fullname: string; change: () => void }) {
  const { data, error } = useApiQuery('getProject', { fullname })
  return (
    <Group className={classes.project} wrap="nowrap">
      {data && <ProjectMark project={data} size={28} />}
      {data || error ? <Text fw={550}>{data?.meta.title ?? fullname}</Text> : <Skeleton height={28} width={160} />}
      <Button variant="subtle" size="compact-sm" ml="auto" flex="none" aria-label="Change project" onClick={change}>
        Change
      </Button>
    </Group>
  )
}

/** The inputs of the trigger, or the values of the template. */
function Settings({ draft, change, projectData, errorOf }: StepProps) {
  const fields = fieldsFor(draft, projectData)
  if (fields.length === 0) return null
  const values = initialValues(fields, draft.values)
  const set = (name: string, value: unknown) => change({ values: { ...values, [name]: value } })
  return (
    <Part title="Settings">
      <ValueFields fields={fields} values={values} onChange={set} errorOf={errorOf} />
    </Part>
  )
}

/** Edits the conditions of the subscription. */
function FiltersField({ draft, change, projectData, errorOf }: StepProps) {
  const trigger = triggerOf(draft, projectData)
  const fields = filterNames(trigger?.filtersSchema)
  const token = useItemToken({ triggerSpec: trigger?.triggerSpec, fields, conditions: draft.conditions })
  const problem = errorOf('conditions')
  return (
    <ConditionField
      about="Without filters, every match creates an alert."
      noun="filter"
      fields={fields}
      placeholder="Field or path, such as token.symbol"
      hasTokens={false}
      token={token}
      value={draft.conditions}
      onChange={(conditions) => change({ conditions: conditions ?? null })}
      issues={problem === undefined ? [] : [{ path: 'conditions', message: problem }]}
      invalidText={{
        current: draft.invalidConditions && { label: 'Conditions', ...draft.invalidConditions },
        set: (invalidConditions) => change({ invalidConditions }),
      }}
    />
  )
}

const pageSize = 12

/** Chooses a project: projects of the workspace first, then public ones. */
function ProjectField({ workspace, draft, change, errorOf }: StepProps) {
  const [text, setText] = useState('')
  const [shown, setShown] = useState(pageSize)
  const list = useApiList('listProjects', {})
  if (list.error && list.items.length === 0) return <ListError list={list} />
  if (list.isLoading) return <Skeleton height={180} />
  if (list.items.length === 0) return <NoProjects workspace={workspace} />
  const wanted = text.trim().toLowerCase()
  const found = list.items
    .filter(({ fullname, meta }) =>
      `${fullname} ${meta.title} ${meta.shortDescription ?? ''}`.toLowerCase().includes(wanted),
    )
    .sort((a, b) => Number(b.workspace === workspace) - Number(a.workspace === workspace))
  const choose = (project: string) => {
    const { template, topics, trigger, values } = emptyDraft
    if (project !== draft.project) change({ project, template, topics, trigger, values, ...noConditions })
  }
  return (
    <Stack gap="sm">
      <ListError list={list} />
      <TextInput
        leftSection={<IconSearch size={16} />}
        placeholder="Search projects"
        aria-label="Search projects"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Radio.Group aria-label="Project" value={draft.project} onChange={choose} error={errorOf('project')}>
        <div className={cards.cards} data-list>
          {found.slice(0, shown).map((project) => {
            const { fullname, meta, workspace: owner, ownerTitle, counts } = project
            return (
              <Radio.Card key={fullname} value={fullname} className={cards.card} aria-label={meta.title}>
                <Group wrap="nowrap" gap="sm">
                  <ProjectMark project={project} />
                  <div>
                    <Group gap={8}>
                      <Text fw={550}>{meta.title}</Text>
                      {owner === workspace ? <Label>This workspace</Label> : <Label>{ownerTitle ?? owner}</Label>}
                    </Group>
                    <Text size="sm" c="dimmed">
                      {meta.shortDescription ?? `${counts.triggers} ${counts.triggers === 1 ? 'trigger' : 'triggers'}`}
                    </Text>
                  </div>
                </Group>
              </Radio.Card>
            )
          })}
        </div>
      </Radio.Group>
      {found.length === 0 && <Text c="dimmed">No matches.</Text>}
      {(found.length > shown || list.hasMore) && (
        <Button
          variant="default"
          loading={list.isLoadingMore}
          onClick={() => (found.length > shown ? setShown(shown + pageSize) : list.loadMore())}
        >
          Show more
        </Button>
      )}
    </Stack>
  )
}

function NoProjects({ workspace }: { workspace: string }) {
  return (
    <FirstStepsState
      icon={IconProject}
      title="No projects yet"
      text="Create a project with a trigger, or start with a timer in the first steps."
    >
      <LinkButton to="/w/$workspace/projects" params={{ workspace }} variant="default">
        Go to projects
      </LinkButton>
    </FirstStepsState>
  )
}
