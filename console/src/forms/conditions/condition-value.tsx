import { Autocomplete, NumberInput, Select, TagsInput, TextInput } from '@mantine/core'
import { useApiList } from '../../data/lists.ts'
import { useWorkspace } from '../../data/workspace.ts'
import type { Op } from '../condition-ops.ts'
import { isObject } from '../json.ts'
import { useAddressBook } from '../value-form/address-field.tsx'
import classes from './condition.module.css'
import type { ConditionName } from './condition-form.ts'
import { textOf, valueFormOf, valuesFrom } from './condition-values.ts'

type ValueProps = {
  label: string
  field: ConditionName | undefined
  /** The fields that the value can be compared with. */
  fields: readonly ConditionName[]
  op: Op
  value: unknown
  onChange: (value: unknown) => void
}

/** The input of a condition's value, by the form of the value. */
export function ConditionValue(props: ValueProps) {
  const { label, value, onChange } = props
  switch (valueFormOf(value)) {
    case 'null':
      return null
    case 'boolean':
      return (
        <Select
          aria-label={label}
          data={['true', 'false']}
          value={String(value)}
          allowDeselect={false}
          onChange={(next) => onChange(next === 'true')}
        />
      )
    case 'tokens':
    case 'units':
    case 'token':
      return <Amount {...props} />
    case 'values':
      return <Values {...props} />
    case 'list':
      return <ListSelect {...props} />
    case 'path':
      return <OtherField {...props} />
    case 'plain':
      return <Plain {...props} />
  }
}

/** An address field offers the address book, and a field with choices offers them. */
function Plain({ label, field, op, value, onChange }: ValueProps) {
  const { choices } = useAddressBook(field?.addressType)
  const isOne = op === 'eq' || op === 'ne'
  if (isOne && field?.choices && field.choices.length > 0)
    return (
      <Select
        aria-label={label}
        data={field.choices}
        value={textOf(value) || null}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  if (isOne && field?.kind === 'address')
    return (
      <Autocomplete
        aria-label={label}
        placeholder="Address"
        data={choices}
        value={textOf(value)}
        onChange={onChange}
        spellCheck={false}
      />
    )
  return (
    <TextInput
      aria-label={label}
      placeholder={op === 'in' || op === 'nin' ? '{{inputs.name}}' : 'Value'}
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
      spellCheck={false}
    />
  )
}

function Values({ label, field, value, onChange }: ValueProps) {
  const { choices } = useAddressBook(field?.addressType)
  return (
    <TagsInput
      aria-label={label}
      placeholder="Press Enter after each value"
      data={field?.kind === 'address' ? choices : (field?.choices ?? [])}
      value={[...new Set((Array.isArray(value) ? value : []).map(String))]}
      onChange={(texts) => onChange(valuesFrom(texts, value))}
      acceptValueOnBlur
    />
  )
}

/** `{amount}`, `{amount, decimals}` or `{amount, token}`. */
function Amount({ label, value, onChange }: ValueProps) {
  const given = isObject(value) ? value : {}
  const put = (part: Record<string, unknown>) => onChange({ ...given, ...part })
  return (
    <div className={classes.amount}>
      <TextInput
        aria-label={label}
        placeholder="1000"
        value={textOf(given.amount)}
        onChange={(event) => put({ amount: event.currentTarget.value })}
      />
      {'token' in given ? (
        <TextInput
          aria-label={`Token: ${label}`}
          placeholder="Address of the token"
          value={textOf(given.token)}
          onChange={(event) => put({ token: event.currentTarget.value })}
          spellCheck={false}
        />
      ) : 'decimals' in given ? (
        <NumberInput
          aria-label={`Decimals: ${label}`}
          min={0}
          max={255}
          allowDecimal={false}
          suffix=" decimals"
          value={typeof given.decimals === 'number' ? given.decimals : ''}
          onChange={(decimals) => put({ decimals: typeof decimals === 'number' ? decimals : undefined })}
        />
      ) : null}
    </div>
  )
}

/** `{path, times?, plus?}`: the value of another field, multiplied and added to. */
function OtherField({ label, fields, value, onChange }: ValueProps) {
  const given = isObject(value) ? value : {}
  const put = (name: string, text: string) => {
    const { [name]: _before, ...others } = given
    onChange(text.trim() === '' && name !== 'path' ? others : { ...given, [name]: text })
  }
  return (
    <div className={classes.amount}>
      <TextInput
        aria-label={`Times: ${label}`}
        placeholder="× 1"
        value={textOf(given.times)}
        onChange={(event) => put('times', event.currentTarget.value)}
      />
      <Autocomplete
        aria-label={label}
        placeholder="Field or path"
        data={fields.map(({ name }) => name)}
        limit={50}
        value={textOf(given.path)}
        onChange={(text) => put('path', text)}
        spellCheck={false}
      />
      <TextInput
        aria-label={`Plus: ${label}`}
        placeholder="+ 0"
        value={textOf(given.plus)}
        onChange={(event) => put('plus', event.currentTarget.value)}
      />
    </div>
  )
}

/** The address lists of the workspace. A list that is not there stays chosen. */
function ListSelect({ label, value, onChange }: ValueProps) {
  const { fullname: workspace } = useWorkspace()
  const { items, isLoading } = useApiList('listAddressLists', { query: { workspace } })
  const chosen = isObject(value) ? textOf(value.list) : ''
  const known = items.map(({ fullname, meta }) => ({ value: fullname, label: `${meta.title} (${fullname})` }))
  const isMissing = chosen !== '' && !known.some((list) => list.value === chosen)
  const missing = { value: chosen, label: isLoading ? chosen : `${chosen} (not available)` }
  return (
    <Select
      aria-label={label}
      placeholder={known.length === 0 && !isLoading ? 'The workspace has no address list' : 'Choose a list'}
      data={isMissing ? [...known, missing] : known}
      value={chosen || null}
      onChange={(list) => onChange({ list: list ?? '' })}
      searchable
      allowDeselect={false}
    />
  )
}
