import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { Part } from '../../../components/patterns/part.tsx'
import { useApiQuery } from '../../../data/queries.ts'
import { initialValues } from '../../../forms/value-form/read-fields.ts'
import { ValueFields } from '../../../forms/value-form/value-fields.tsx'
import { ProjectMark } from '../../../layouts/project/project-mark.tsx'
import { emptyDraft, noConditions } from '../model/draft.ts'
import { AlertsField } from './alerts-field.tsx'
import { FiltersField } from './filters-field.tsx'
import { ProjectField } from './project-field.tsx'
import type { StepProps } from './step-props.ts'
import { fieldsFor, triggerOf } from './steps.ts'
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
