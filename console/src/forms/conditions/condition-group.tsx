import { ActionIcon, Autocomplete, Button, Group as Line, Select, Stack, Text } from '@mantine/core'
import { groupDigits } from '@tocsin/contract'
import { Fragment } from 'react'
import { IconCheck, IconClose, IconPlus, IconTrash } from '../../components/icons.tsx'
import { type Op, ops } from '../condition-ops.ts'
import { isObject } from '../json.ts'
import classes from './condition.module.css'
import {
  blankRow,
  type ConditionForm,
  type ConditionName,
  issueOf,
  type RowResult,
  withParam,
} from './condition-form.ts'
import {
  type ConditionPart,
  conditionOf,
  type Group,
  groupOf,
  type Join,
  joinWord,
  rootGroupOf,
} from './condition-groups.ts'
import { ConditionValue } from './condition-value.tsx'
import { convertValue, formsFor, valueFor, valueFormOf, valueForms, valueIssue } from './condition-values.ts'
import { tokenNote, unitDecimals } from './token-note.ts'

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

const shownMax = 60

/** Whether the sample meets the comparison above, with the value that it has. */
function SampleResult({ result }: { result: RowResult | undefined }) {
  if (!result || result.held === null) return null
  const Icon = result.held ? IconCheck : IconClose
  return (
    <p className={classes.result} data-held={result.held}>
      <Icon size={14} />
      {result.held ? 'True' : 'False'} for the sample: {result.issue ?? shown(result.value)}
    </p>
  )
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'no value'
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const grouped = groupDigits(text)
  return grouped.length > shownMax ? `${grouped.slice(0, shownMax)}…` : grouped
}

type RowProps = {
  condition: ConditionPart
  path: string
  number: string
  onChange: (condition: ConditionPart) => void
  form: ConditionForm
}

const contains = { value: 'contains', label: 'has an element with' } as const

/** One comparison: param, operator and value. */
function ConditionRow({ condition, path, number, onChange, form }: RowProps) {
  const { noun, fields, hasTokens, issues } = form
  const op = ops.find(({ value }) => value === condition.op)?.value
  const param = typeof condition.param === 'string' ? condition.param : ''
  const field = fields.find(({ name }) => name === param)
  const note = op && tokenNote(op, condition.value, field?.decimals, form.token)
  const error = issueOf(issues, path, false) ?? valueIssueOf(condition, field)
  return (
    <>
      <div>
        <Autocomplete
          aria-label={`Field of ${noun} ${number}`}
          placeholder={form.placeholder}
          data={fields.map(({ name }) => name)}
          limit={50}
          value={param}
          onChange={(next) => onChange(withParam(condition, next, fields))}
          spellCheck={false}
        />
      </div>
      <div>
        <Select
          aria-label={`Operator of ${noun} ${number}`}
          data={[...ops, contains]}
          value={op ?? ('contains' in condition ? 'contains' : null)}
          allowDeselect={false}
          onChange={(next) => next && onChange(withOp(condition, next, hasTokens))}
        />
      </div>
      <div className={classes.value}>
        {op && (
          <ConditionValue
            label={`Value of ${noun} ${number}`}
            field={field}
            fields={fields}
            op={op}
            value={condition.value}
            onChange={(value) => onChange({ ...condition, value })}
          />
        )}
        {op && (
          <FormSelect
            {...{ op, condition, onChange, hasTokens }}
            decimals={unitDecimals(param, form.token)}
            label={`Form of the value of ${noun} ${number}`}
          />
        )}
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
        {error && (
          <Text size="sm" c="var(--mantine-color-error)">
            {error}
          </Text>
        )}
      </div>
    </>
  )
}

type FormProps = Pick<RowProps, 'condition' | 'onChange'> & {
  op: Op
  hasTokens: boolean
  decimals: number
  label: string
}

/** How the value is written: as it is, in units, as a list. */
function FormSelect({ op, condition, onChange, hasTokens, decimals, label }: FormProps) {
  const forms = formsFor(op, hasTokens)
  if (forms.length === 1) return null
  const current = valueFormOf(condition.value)
  return (
    <Select
      size="xs"
      aria-label={label}
      data={forms.map((value) => ({ value, label: valueForms[value] }))}
      value={current}
      allowDeselect={false}
      onChange={(next) => next && onChange({ ...condition, value: convertValue(condition.value, next, decimals) })}
    />
  )
}

function withOp(condition: ConditionPart, next: Op | 'contains', hasTokens: boolean): ConditionPart {
  const { param, value } = condition
  if (next === 'contains') return { param, contains: { all: [{ param: '', op: 'eq', value: '' }] } }
  return { param, op: next, value: valueFor(next, value ?? '', hasTokens) }
}

function valueIssueOf({ op, value }: ConditionPart, field: ConditionName | undefined): string | undefined {
  return value === '' ? undefined : valueIssue(op, value, field?.kind)
}
