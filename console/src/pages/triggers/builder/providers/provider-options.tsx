import { Group, MultiSelect, NumberInput, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { Details } from '../../../../components/details.tsx'
import { CodeEditor, type Complete, type Mark } from '../../../../editor/code-editor.tsx'
import type { InvalidTextSlot } from '../../../../forms/invalid-text.tsx'
import { isObject } from '../../../../forms/json.ts'
import { JsonField } from '../../../../forms/json-field.tsx'
import { type Fields, textOf } from '../../model/definition.ts'
import { blankRetry, canRetry, hasOptions, withCache, withParts, withUntil } from '../../model/provider-options.ts'
import { NumberFields } from './number-fields.tsx'

export type OptionsProps = {
  provider: Fields
  put: (part: Fields) => void
  errorOf: (name: string) => string | undefined
  complete: Complete
  /** Marks of issues in runIf. */
  marks: Mark[]
  invalidText: (name: string, label: string) => InvalidTextSlot
}

/** When the provider runs, how long its result is kept, and how it waits for an answer. */
export function ProviderOptions({ provider, put, errorOf, complete, marks, invalidText }: OptionsProps) {
  const retry = isObject(provider.retry) ? provider.retry : undefined
  return (
    <Details summary="Options" isOpen={hasOptions(provider)}>
      <Stack gap="sm">
        <CodeEditor
          label="Run only if"
          description="JavaScript over source, inputs and earlier providers. If it is false, the provider is skipped and its value is null."
          language="javascript"
          value={textOf(provider.runIf)}
          onChange={(runIf) => put({ runIf: runIf.trim() === '' ? undefined : runIf })}
          complete={complete}
          marks={marks}
          error={errorOf('runIf')}
          minHeight={40}
        />
        <CacheFields provider={provider} put={put} errorOf={errorOf} />
        {canRetry(provider) && (
          <Switch
            label="Retry until the answer is there"
            description="The run waits and holds no worker. A test makes one attempt."
            checked={retry !== undefined}
            onChange={(event) => put({ retry: event.currentTarget.checked ? blankRetry : undefined })}
          />
        )}
        {retry && (
          <RetryFields
            retry={retry}
            onChange={(next) => put({ retry: next })}
            errorOf={(name) => errorOf(`retry.${name}`)}
            invalidText={invalidText('retry.until.equals', 'Value to wait for')}
          />
        )}
        <NumberInput
          label="Weight"
          description="What a call counts in the operator's budget, 0 to 1,000."
          min={0}
          max={1000}
          w={240}
          value={typeof provider.weight === 'number' ? provider.weight : ''}
          onChange={(weight) => put({ weight: typeof weight === 'number' ? weight : undefined })}
          error={errorOf('weight')}
        />
        <JsonField
          label="Schema of the result"
          description="A result that does not fit fails the provider. Leave empty to accept every result."
          value={provider.outputSchema}
          onChange={(outputSchema) => put({ outputSchema })}
          error={errorOf('outputSchema')}
          invalidText={invalidText('outputSchema', 'Schema of the result')}
          minHeight={40}
        />
      </Stack>
    </Details>
  )
}

function CacheFields({ provider: { cache }, put, errorOf }: Pick<OptionsProps, 'provider' | 'put' | 'errorOf'>) {
  const { ttlMs, key } = isObject(cache) ? cache : {}
  return (
    <Group align="flex-start">
      <NumberInput
        label="Cache for (ms)"
        description="Runs of the trigger share the result."
        min={1}
        max={3_600_000}
        allowDecimal={false}
        w={240}
        value={typeof ttlMs === 'number' ? ttlMs : ''}
        onChange={(value) => put({ cache: withCache(cache, { ttlMs: typeof value === 'number' ? value : undefined }) })}
        error={errorOf('cache.ttlMs')}
      />
      {ttlMs !== undefined && (
        <TextInput
          label="Cache key"
          description="Leave empty to use the whole request."
          placeholder="{{source.address}}"
          flex={1}
          value={textOf(key)}
          onChange={(event) => put({ cache: withCache(cache, { key: event.currentTarget.value || undefined }) })}
          error={errorOf('cache.key')}
          spellCheck={false}
        />
      )}
    </Group>
  )
}

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
function RetryFields({ retry, onChange, errorOf, invalidText }: RetryFieldsProps) {
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
