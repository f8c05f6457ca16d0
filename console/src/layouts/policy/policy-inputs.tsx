import { NumberInput, Select, TextInput } from '@mantine/core'
import type { PolicyFormPart, PolicyInput } from '@tocsin/contract'
import { chooseOption, chosenOption, formOf, type PolicyDraft, shownInputs } from './policy-draft.ts'

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
  return <TextInput {...common} value={text} onChange={(event) => put(event.currentTarget.value)} />
}
