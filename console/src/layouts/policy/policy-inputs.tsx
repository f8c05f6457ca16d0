import { NumberInput, Select, TextInput } from '@mantine/core'
import type { PolicyFormPart, PolicyInput } from '@tocsin/contract'
import { namedUnits } from '../../forms/conditions/condition-values.ts'
import {
  type AmountUnit,
  chooseOption,
  chosenOption,
  chosenUnit,
  formOf,
  type PolicyDraft,
  partOf,
  shownInputs,
} from './policy-draft.ts'

type PolicyInputsProps = {
  draft: PolicyDraft
  onChange: (draft: PolicyDraft) => void
  /** The issue of a field of the policy. */
  errorOf: (name: string) => string | undefined
  /** In a row, with examples instead of descriptions. */
  isRow?: boolean
}

/** The inputs of a policy, as the policy describes them. */
export function PolicyInputs(props: PolicyInputsProps) {
  return formOf(props.draft).map((part) => <Part key={part.name} part={part} {...props} />)
}

function Part({ part, ...props }: PolicyInputsProps & { part: PolicyFormPart }) {
  const { draft, onChange, isRow } = props
  return (
    <>
      {part.as === 'alternative' && (
        <Select
          {...(isRow && row)}
          label={part.label}
          data={[...part.options]}
          value={chosenOption(part, draft.texts)?.value ?? null}
          allowDeselect={false}
          onChange={(value) => value !== null && onChange(chooseOption(draft, part, value))}
        />
      )}
      {shownInputs(part, draft).map((input) => (
        <Input key={input.name} input={input} {...props} />
      ))}
    </>
  )
}

const row = { flex: '1 1 120px' }

function Input({ input, draft, onChange, errorOf, isRow }: PolicyInputsProps & { input: PolicyInput }) {
  const { name, label, description, placeholder } = input
  const text = draft.texts[name] ?? ''
  const put = (text: string) => onChange({ ...draft, texts: { ...draft.texts, [name]: text } })
  const common = { label, error: errorOf(name), ...(isRow ? { ...row, placeholder } : { description }) }
  if (input.as === 'choice') {
    const value = text === '' ? (input.options[0]?.value ?? null) : text
    const choose = (value: string | null) => value !== null && put(value)
    return <Select {...common} data={[...input.options]} value={value} allowDeselect={false} onChange={choose} />
  }
  if (input.as === 'number') {
    const { min, max } = input
    return (
      <NumberInput {...common} {...{ min, max }} allowDecimal={false} value={text} onChange={(n) => put(String(n))} />
    )
  }
  const field = <TextInput {...common} value={text} onChange={(event) => put(event.currentTarget.value)} />
  return input.as === 'amount' ? (
    <>
      {field}
      <UnitInputs {...{ name, label, draft, onChange, isRow }} />
    </>
  ) : (
    field
  )
}

const units: { value: AmountUnit | keyof typeof namedUnits; label: string }[] = [
  { value: 'plain', label: 'As in the output' },
  { value: 'tokens', label: 'Whole tokens of the item' },
  { value: 'gwei', label: 'gwei' },
  { value: 'ether', label: 'ether' },
  { value: 'units', label: 'With decimals' },
  { value: 'token', label: 'Whole tokens of a token' },
]

type UnitProps = Pick<PolicyInputsProps, 'draft' | 'onChange' | 'isRow'> & { name: string; label: string }

/** The unit of an amount. gwei and ether are amounts with 9 and 18 decimals. */
function UnitInputs({ name, label, draft, onChange, isRow }: UnitProps) {
  const unit = chosenUnit(name, draft)
  const put = (parts: Record<string, string>) => onChange({ ...draft, texts: { ...draft.texts, ...parts } })
  const putPart = (part: string, text: string) => put({ [partOf(name, part)]: text })
  const choose = (value: string | null) => {
    const decimals = value === 'gwei' || value === 'ether' ? String(namedUnits[value]) : undefined
    if (decimals !== undefined) put({ [partOf(name, 'unit')]: 'units', [partOf(name, 'decimals')]: decimals })
    else if (value !== null) putPart('unit', value)
  }
  return (
    <>
      <Select
        {...(isRow && row)}
        label={`Unit of “${label}”`}
        data={units}
        value={unit}
        allowDeselect={false}
        onChange={choose}
      />
      {unit === 'units' && (
        <TextInput
          {...(isRow && row)}
          label={`Decimals of “${label}”`}
          inputMode="numeric"
          value={draft.texts[partOf(name, 'decimals')] ?? ''}
          onChange={(event) => putPart('decimals', event.currentTarget.value)}
        />
      )}
      {unit === 'token' && (
        <TextInput
          {...(isRow && row)}
          label={`Token of “${label}”`}
          placeholder="{{source.address}}"
          value={draft.texts[partOf(name, 'token')] ?? ''}
          onChange={(event) => putPart('token', event.currentTarget.value)}
          spellCheck={false}
        />
      )}
    </>
  )
}
