import { ActionIcon, Checkbox, Group, NumberInput, Paper, Stack, TextInput, Title } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useMemo } from 'react'
import { IconChevronDown, IconChevronUp, IconTrash } from '../../../../components/icons.tsx'
import { JsonField } from '../../../../forms/json-field.tsx'
import { type Fields, textOf } from '../../model/definition.ts'
import { providerKindOf } from '../../model/provider-kinds.ts'
import { completeFrom } from '../script-help/complete.ts'
import { marksOf } from '../script-help/marks.ts'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { ProviderInput } from './provider-input.tsx'
import { ProviderOptions } from './provider-options.tsx'
import { TryProvider } from './try-provider.tsx'

type ProviderCardProps = { builder: Builder; at: number; provider: Fields; issues: Issue[] }

export function ProviderCard({ builder, at, provider, issues }: ProviderCardProps) {
  const { state, dispatch } = builder
  const { sample, inputs, providersData } = state
  const kind = providerKindOf(provider)
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
            {at + 1}. {kind?.title ?? `Type ${textOf(provider.type)}`}
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
        {kind ? (
          kind.fields.map((field) => (
            <ProviderInput
              key={field.name}
              field={field}
              value={provider[field.name]}
              onChange={(value) => put({ [field.name]: value ?? kind.blank[field.name] })}
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
