import {
  ActionIcon,
  Button,
  Checkbox,
  Group,
  MultiSelect,
  NumberInput,
  Paper,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Issue, ProviderField } from '@tocsin/contract'
import { useMemo } from 'react'
import { ErrorNotice } from '../../../../components/error-notice.tsx'
import { IconChevronDown, IconChevronUp, IconTrash } from '../../../../components/icons.tsx'
import { IssueList } from '../../../../components/issue-list.tsx'
import { api } from '../../../../data/api.ts'
import { CodeEditor, type Complete, type Mark } from '../../../../editor/code-editor.tsx'
import type { InvalidTextSlot } from '../../../../forms/invalid-text.tsx'
import { JsonField } from '../../../../forms/json-field.tsx'
import { LongText } from '../../../../forms/long-text.tsx'
import { AddressJson } from '../../../../layouts/address/address-json.tsx'
import { useSources } from '../../../../layouts/address/use-sources.ts'
import { type Fields, textOf } from '../../model/definition.ts'
import { providerFormOf } from '../../model/provider-forms.ts'
import { sourceOf } from '../../model/spec-kinds.ts'
import { completeFrom } from '../script-help/complete.ts'
import { marksOf } from '../script-help/marks.ts'
import { SourceSelect } from '../source/source-select.tsx'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { ProviderOptions } from './provider-options.tsx'

type ProviderCardProps = { builder: Builder; at: number; provider: Fields; issues: Issue[] }

export function ProviderCard({ builder, at, provider, issues }: ProviderCardProps) {
  const { state, dispatch } = builder
  const { sample, inputs, providersData } = state
  const form = providerFormOf(provider)
  const id = textOf(provider.id)
  const complete = useMemo(
    () => completeFrom({ source: sample, inputs, providers: providersData }),
    [sample, inputs, providersData],
  )
  const put = (part: Fields) => dispatch({ type: 'putProvider', at, provider: { ...provider, ...part } })
  const errorOf = (name: string) => issues.find(({ path }) => path === `providers.${at}.${name}`)?.message
  const marks = useMemo(() => marksOf(issues, new RegExp(`^providers\\.${at}\\.source$`)), [issues, at])
  const runIfMarks = useMemo(() => marksOf(issues, new RegExp(`^providers\\.${at}\\.runIf$`)), [issues, at])
  const invalidText = (name: string, label: string) =>
    invalidTextIn(builder, `providers.${at}.${name}`, `${label} of ${id} (Data tab)`)
  return (
    <Paper withBorder p="md" component="section" aria-label={`Provider ${id}`}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Title order={3} size="h5">
            {at + 1}. {form?.title ?? `Type ${textOf(provider.type)}`}
          </Title>
          <Order builder={builder} at={at} id={id} />
        </Group>
        <TextInput
          label="Id"
          description={`Scripts read the result as providers.${id || '…'}`}
          value={id}
          onChange={(event) => put({ id: event.currentTarget.value })}
          error={errorOf('id')}
          spellCheck={false}
        />
        {form ? (
          form.fields.map((field) => (
            <ProviderInput
              key={field.name}
              field={field}
              value={provider[field.name]}
              onChange={(value) => put({ [field.name]: value ?? form.blank[field.name] })}
              error={errorOf(field.name)}
              complete={complete}
              marks={marks}
              invalidText={invalidText(field.name, field.label)}
            />
          ))
        ) : (
          <JsonField
            label="Provider (JSON)"
            value={provider}
            onChange={(value) => put(Object(value))}
            invalidText={invalidTextIn(builder, `providers.${at}.json`, `Provider ${id} (Data tab)`)}
          />
        )}
        <Group align="flex-end">
          <NumberInput
            label="Timeout (ms)"
            placeholder="10000"
            min={1}
            max={10_000}
            allowDecimal={false}
            w={140}
            value={typeof provider.timeoutMs === 'number' ? provider.timeoutMs : ''}
            onChange={(value) => put({ timeoutMs: typeof value === 'number' ? value : undefined })}
          />
          <Checkbox
            mb={8}
            label="Optional: if it fails, the value is null"
            checked={provider.optional === true}
            onChange={(event) => put({ optional: event.currentTarget.checked || undefined })}
          />
        </Group>
        <ProviderOptions {...{ provider, put, errorOf, complete, invalidText }} marks={runIfMarks} />
        <TryProvider builder={builder} provider={provider} />
      </Stack>
    </Paper>
  )
}

function Order({ builder: { state, dispatch }, at, id }: { builder: Builder; at: number; id: string }) {
  const last = state.definition.providers.length - 1
  return (
    <Group gap={4} wrap="nowrap">
      {at > 0 && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move ${id} up`}
          onClick={() => dispatch({ type: 'moveProvider', at, to: at - 1 })}
        >
          <IconChevronUp size={16} />
        </ActionIcon>
      )}
      {at < last && (
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Move ${id} down`}
          onClick={() => dispatch({ type: 'moveProvider', at, to: at + 1 })}
        >
          <IconChevronDown size={16} />
        </ActionIcon>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Remove ${id}`}
        onClick={() => dispatch({ type: 'removeProvider', at })}
      >
        <IconTrash size={16} />
      </ActionIcon>
    </Group>
  )
}

/** Calls one provider with the values of the sample. The live preview uses the result. */
function TryProvider({ builder: { state, dispatch }, provider }: { builder: Builder; provider: Fields }) {
  const { definition, sample, inputs, providersData } = state
  const source = useSources().find(sourceOf(definition.triggerSpec))
  const test = useMutation({
    mutationFn: () =>
      api.testProvider({
        body: {
          triggerSpec: definition.triggerSpec,
          provider,
          project: definition.project,
          workspace: definition.workspace,
          templateValues: { source: sample ?? {}, inputs, providers: providersData },
        },
      }),
    onSuccess: ({ valid, result }) => {
      if (valid) dispatch({ type: 'provided', id: textOf(provider.id), value: result })
    },
  })
  const call = test.data?.debug.providers[textOf(provider.id)]
  return (
    <div>
      <Group gap="sm" mb="xs">
        <Button size="xs" variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Test provider
        </Button>
        {test.data?.valid && (
          <Text size="sm" c="dimmed">
            Responded{call && ` in ${Math.round(call.durationMs)} ms`}
          </Text>
        )}
        {!sample && (
          <Text size="sm" c="dimmed">
            There is no sample, so {'{{source.…}}'} is empty.
          </Text>
        )}
      </Group>
      <ErrorNotice error={test.error} />
      {test.data && !test.data.valid && <IssueList title="The provider failed" issues={test.data.issues} />}
      {test.data?.valid && <AddressJson value={test.data.result} label="result" maxHeight={200} source={source} />}
    </div>
  )
}

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
function ProviderInput({ field, value, onChange, error, complete, marks, invalidText }: ProviderInputProps) {
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
