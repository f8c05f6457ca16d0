import { Autocomplete, Select, Text } from '@mantine/core'
import { type Op, ops } from '../condition-ops.ts'
import classes from './condition.module.css'
import { type ConditionForm, type ConditionName, issueOf, withParam } from './condition-form.ts'
import type { ConditionPart } from './condition-groups.ts'
import { ConditionValue } from './condition-value.tsx'
import { convertValue, formsFor, valueFor, valueFormOf, valueForms, valueIssue } from './condition-values.ts'
import { tokenNote, unitDecimals } from './token-note.ts'

type RowProps = {
  condition: ConditionPart
  path: string
  number: string
  onChange: (condition: ConditionPart) => void
  form: ConditionForm
}

const contains = { value: 'contains', label: 'has an element with' } as const

/** One comparison: param, operator and value. */
export function ConditionRow({ condition, path, number, onChange, form }: RowProps) {
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
