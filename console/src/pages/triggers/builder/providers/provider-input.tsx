import { MultiSelect, NumberInput, Select, TextInput } from '@mantine/core'
import { CodeEditor, type Complete, type Mark } from '../../../../editor/code-editor.tsx'
import type { InvalidTextSlot } from '../../../../forms/invalid-text.ts'
import { JsonField } from '../../../../forms/json-field.tsx'
import { LongText } from '../../../../forms/long-text.tsx'
import { textOf } from '../../model/definition.ts'
import type { ProviderField } from '../../model/provider-kinds.ts'
import { SourceSelect } from '../source/source-select.tsx'

type ProviderInputProps = {
  field: ProviderField
  value: unknown
  onChange: (value: unknown) => void
  error: string | undefined
  complete: Complete
  marks: Mark[]
  /** Stores invalid text of the field. */
  invalidText: InvalidTextSlot
}

/** The input of one field of a provider. Texts may contain placeholders such as {{source.params.to}}. */
export function ProviderInput({ field, value, onChange, error, complete, marks, invalidText }: ProviderInputProps) {
  const { label, description, placeholder } = field
  const common = { label, description, placeholder, error }
  switch (field.as) {
    case 'text':
      return (
        <TextInput
          {...common}
          value={textOf(value)}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
          spellCheck={false}
        />
      )
    case 'area':
    case 'abi':
      return (
        <LongText {...common} minRows={2} maxRows={10} value={textOf(value)} onText={onChange} spellCheck={false} />
      )
    case 'number':
      return (
        <NumberInput
          {...common}
          allowDecimal={false}
          value={typeof value === 'number' ? value : ''}
          onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
        />
      )
    case 'choice':
      return (
        <Select
          {...common}
          placeholder={field.options[0]}
          data={[...field.options]}
          value={typeof value === 'string' ? value : null}
          onChange={(next) => onChange(next ?? undefined)}
          clearable
        />
      )
    case 'choices':
      return (
        <MultiSelect
          {...common}
          data={[...field.options]}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={(next) => onChange(next.length === 0 ? undefined : next)}
        />
      )
    case 'source':
      return (
        <SourceSelect
          kind={field.kind}
          value={textOf(value)}
          onChange={(next) => onChange(next || undefined)}
          isOptional
        />
      )
    case 'code':
      return (
        <CodeEditor
          label={label}
          language="javascript"
          value={textOf(value)}
          onChange={onChange}
          complete={complete}
          marks={marks}
          error={error}
        />
      )
    case 'json':
      return (
        <JsonField
          label={label}
          description={description}
          value={value}
          onChange={onChange}
          error={error}
          invalidText={invalidText}
          minHeight={40}
        />
      )
  }
}
