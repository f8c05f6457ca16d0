import { ActionIcon, Button, Group as Line, Select, Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
import { IconPlus, IconTrash } from '../../components/icons.tsx'
import { isObject } from '../json.ts'
import classes from './condition.module.css'
import { blankRow, type ConditionForm, issueOf } from './condition-form.ts'
import {
  type ConditionPart,
  conditionOf,
  type Group,
  groupOf,
  type Join,
  joinWord,
  rootGroupOf,
} from './condition-groups.ts'
import { ConditionRow } from './condition-row.tsx'
import { SampleResult } from './sample-result.tsx'

type GroupProps = {
  group: Group
  path: string
  onChange: (join: Join, parts: ConditionPart[]) => void
  form: ConditionForm
  /** The number of the group in its outer group, such as 2.1; absent for the outer group. */
  number?: string
  remove?: () => void
}

/** The rows of a group and how they are joined. */
export function ConditionGroup({ group: { join, parts }, path, onChange, form, number, remove }: GroupProps) {
  const conditions = parts.map(({ condition }) => condition)
  const put = (at: number, condition: ConditionPart | undefined) =>
    onChange(join, condition ? conditions.with(at, condition) : conditions.toSpliced(at, 1))
  const add = (condition: ConditionPart) => onChange(join, [...conditions, condition])
  const blank = blankRow(form.fields)
  return (
    <Stack
      gap="xs"
      {...(number !== undefined && { className: classes.group, role: 'group', 'aria-label': `Group ${number}` })}
    >
      <Line gap="xs" justify="space-between">
        {(parts.length > 1 || number !== undefined || join !== 'all') && (
          <Select
            aria-label={number === undefined ? `Combine ${form.noun}s` : `Combine ${form.noun}s of group ${number}`}
            data={joins(form.noun)}
            value={join}
            allowDeselect={false}
            onChange={(next) => next && onChange(next, conditions)}
            w={280}
          />
        )}
        {remove && <RemoveButton label={`Remove group ${number}`} onClick={remove} />}
      </Line>
      {parts.map(({ condition, path }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no id
        <Fragment key={at}>
          {at > 0 && <span className={classes.join}>{joinWord[join]}</span>}
          <Part
            condition={condition}
            path={path}
            number={number === undefined ? `${at + 1}` : `${number}.${at + 1}`}
            onChange={(next) => put(at, next)}
            form={form}
          />
        </Fragment>
      ))}
      {issueOf(form.issues, path, true) && (
        <Text size="sm" c="var(--mantine-color-error)">
          {issueOf(form.issues, path, true)}
        </Text>
      )}
      <Line gap="xs">
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={() => add(blank)}>
          Add {form.noun}
        </Button>
        {parts.length > 0 && (
          <Button size="xs" variant="subtle" onClick={() => add({ any: [blank] })}>
            Add group
          </Button>
        )}
      </Line>
    </Stack>
  )
}

type PartProps = {
  condition: ConditionPart
  path: string
  number: string
  onChange: (condition: ConditionPart | undefined) => void
  form: ConditionForm
}

function Part({ condition, path, number, onChange, form }: PartProps) {
  const remove = () => onChange(undefined)
  const group = groupOf(condition, path)
  if (group)
    return (
      <ConditionGroup
        {...{ group, path, form, number, remove }}
        onChange={(join, parts) => onChange(conditionOf(join, parts))}
      />
    )
  return (
    <>
      <div className={classes.row}>
        <ConditionRow {...{ condition, path, number, onChange, form }} />
        <RemoveButton label={`Remove ${form.noun} ${number}`} onClick={remove} />
      </div>
      <SampleResult result={form.results?.find((one) => one.path === path)} />
      {'contains' in condition && <Element {...{ condition, path, number, onChange, form }} />}
    </>
  )
}

/** The conditions on an element of a list. Their params are paths in the element. */
function Element({ condition, path, number, onChange, form }: PartProps) {
  const inner = isObject(condition.contains) ? condition.contains : {}
  const innerPath = `${path}.contains`
  const group = rootGroupOf(inner, innerPath)
  return (
    <ConditionGroup
      {...{ group, number }}
      path={innerPath}
      form={{ ...form, fields: [] }}
      onChange={(join, parts) => onChange({ ...condition, contains: conditionOf(join, parts) ?? { all: [] } })}
    />
  )
}

function RemoveButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
      <IconTrash />
    </ActionIcon>
  )
}

function joins(noun: string): { value: Join; label: string }[] {
  return [
    { value: 'all', label: `All ${noun}s must match` },
    { value: 'any', label: `At least one ${noun} must match` },
    { value: 'none', label: `No ${noun} may match` },
    { value: 'notAll', label: `Not all ${noun}s may match` },
  ]
}
