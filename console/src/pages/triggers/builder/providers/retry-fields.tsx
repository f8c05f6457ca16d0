import { MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { InvalidTextSlot } from '../../../../forms/invalid-text.ts'
import { isObject } from '../../../../forms/json.ts'
import { JsonField } from '../../../../forms/json-field.tsx'
import { type Fields, textOf } from '../../model/definition.ts'
import { withParts, withUntil } from '../../model/provider-options.ts'
import { NumberFields } from './number-fields.tsx'

type RetryFieldsProps = {
  retry: Fields
  onChange: (retry: Fields) => void
  errorOf: (name: string) => string | undefined
  invalidText: InvalidTextSlot
}

const numbers = [
  ['attempts', 'Attempts', '1 to 20, with the first one.'],
  ['delayMs', 'Delay (ms)', '250 to 60,000.'],
  ['maxDelayMs', 'Longest delay (ms)', 'Optional.'],
  ['maxElapsedMs', 'Give up after (ms)', 'Optional.'],
] as const
const choices = [
  [
    'backoff',
    'Backoff',
    [
      { value: 'fixed', label: 'The same delay' },
      { value: 'linear', label: 'Linear' },
      { value: 'exponential', label: 'Exponential' },
    ],
  ],
  [
    'exhausted',
    'After the last attempt',
    [
      { value: 'fail', label: 'The run fails' },
      { value: 'continue', label: 'The run goes on with the last answer' },
    ],
  ],
] as const
const reasons = [
  { value: 'http_error', label: 'The request fails' },
  { value: 'empty_array', label: 'The answer is an empty list' },
  { value: 'missing_path', label: 'A path of the answer is missing' },
]

/** When a provider asks again, how often, and what it waits for. */
export function RetryFields({ retry, onChange, errorOf, invalidText }: RetryFieldsProps) {
  const put = (parts: Fields) => onChange(withParts(retry, parts))
  const until = isObject(retry.until) ? retry.until : {}
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" role="group" aria-label="Retry">
      <NumberFields fields={numbers} values={retry} put={put} errorOf={errorOf} />
      {choices.map(([name, label, data]) => (
        <Select
          key={name}
          label={label}
          data={[...data]}
          value={textOf(retry[name]) || 'fail'}
          allowDeselect={false}
          onChange={(value) => value !== null && put({ [name]: value })}
          error={errorOf(name)}
        />
      ))}
      <MultiSelect
        label="Ask again if"
        data={reasons}
        value={Array.isArray(retry.retryOn) ? retry.retryOn.map(String) : []}
        onChange={(retryOn) => put({ retryOn: retryOn.length === 0 ? undefined : retryOn })}
        error={errorOf('retryOn')}
      />
      <TextInput
        label="Wait for this path"
        description="A path of the answer that must be there, such as status."
        value={textOf(until.path)}
        onChange={(event) => onChange(withUntil(retry, { path: event.currentTarget.value || undefined }))}
        error={errorOf('until.path')}
        spellCheck={false}
      />
      {until.path !== undefined && (
        <JsonField
          label="Value to wait for"
          description="JSON, such as “done” in quotes. Leave empty to accept every value."
          value={until.equals}
          onChange={(equals) => onChange(withUntil(retry, { equals }))}
          invalidText={invalidText}
          minHeight={40}
        />
      )}
    </SimpleGrid>
  )
}
