import { Select, Stack, Text, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { JsonField } from '../../forms/json-field.tsx'
import type { Builder } from './builder-state.ts'
import { EvmEvent } from './evm-event.tsx'
import { SolanaEvent } from './solana-event.tsx'
import { SourceSelect } from './source-select.tsx'
import { blankSpec, kindOf, specKinds, specType } from './spec-kinds.ts'
import { textOf } from './text-of.ts'

type PartProps = { builder: Builder; issues: Issue[] }

/** What the trigger listens to. */
export function SourcePart({ builder }: PartProps) {
  const { state, dispatch } = builder
  const spec = state.definition.triggerSpec
  const type = specType(spec)
  const kind = kindOf(spec)
  return (
    <Stack gap="md">
      <Select
        label="Listens to"
        data={specKinds.map(({ value, label }) => ({ value, label }))}
        value={type}
        description={specKinds.find(({ value }) => value === type)?.about}
        onChange={(next) =>
          next !== null && next !== type && dispatch({ type: 'change', part: { triggerSpec: blankSpec(next, spec) } })
        }
        allowDeselect={false}
      />
      {kind && (
        <SourceSelect
          kind={kind}
          value={textOf(spec?.dataSource)}
          onChange={(dataSource) => dispatch({ type: 'changeSpec', part: { dataSource } })}
        />
      )}
      {type === 'evm_log' && <EvmEvent builder={builder} />}
      {type === 'solana_event' && <SolanaEvent builder={builder} />}
      {type === 'substrate_event' && <SubstrateEvent builder={builder} />}
      {type === 'timer' && (
        <TextInput
          label="Interval"
          description="From 10s to 30d, such as 30s, 5m, 1h30m or 1d."
          value={textOf(spec?.interval)}
          onChange={(event) => dispatch({ type: 'changeSpec', part: { interval: event.currentTarget.value } })}
        />
      )}
      {type === 'stream' && <Stream builder={builder} />}
    </Stack>
  )
}

const palletFields = [
  ['pallet', 'Pallet', 'balances'],
  ['event', 'Event', 'Transfer'],
] as const

function SubstrateEvent({ builder: { state, dispatch } }: { builder: Builder }) {
  return palletFields.map(([field, label, placeholder]) => (
    <TextInput
      key={field}
      label={label}
      description={`Empty: every ${label.toLowerCase()}.`}
      placeholder={placeholder}
      value={textOf(state.definition.triggerSpec?.[field])}
      onChange={(event) => dispatch({ type: 'changeSpec', part: { [field]: event.currentTarget.value || undefined } })}
      spellCheck={false}
    />
  ))
}

function Stream({ builder: { state, dispatch } }: { builder: Builder }) {
  const { backend } = state.definition
  const put = (part: Partial<typeof backend>) =>
    dispatch({ type: 'change', part: { backend: { ...backend, ...part } } })
  return (
    <>
      <TextInput
        label="Stream"
        description="The full name of another trigger, or a source's full name followed by .events."
        placeholder="acme.dex.swap"
        value={backend.trigger ?? ''}
        onChange={(event) => put({ trigger: event.currentTarget.value || undefined })}
        spellCheck={false}
      />
      <JsonField
        label="Values"
        description="Only items that have these values. Leave it empty to take all."
        value={backend.values}
        onChange={(values) => put({ values })}
      />
      {!backend.trigger && (
        <Text size="sm" c="dimmed">
          Without a stream the trigger listens to nothing.
        </Text>
      )}
    </>
  )
}
