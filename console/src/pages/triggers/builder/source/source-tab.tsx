import { Select, Stack, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { issueAt } from '../../../../components/issue-list.tsx'
import { type Fields, textOf } from '../../model/definition.ts'
import { blankSpec, kindOf, specKinds, specType } from '../../model/spec-kinds.ts'
import type { Builder } from '../state/builder-state.ts'
import { BindingFields } from './binding-fields.tsx'
import { BlockFields } from './block-fields.tsx'
import { OutcomeField, SpecSwitch } from './call-options.tsx'
import { EvmCall } from './evm-call.tsx'
import { EvmEvent } from './evm-event.tsx'
import { SolanaItem } from './solana-item.tsx'
import { SourceSelect } from './source-select.tsx'
import { StreamFields, StreamHint } from './stream-fields.tsx'
import { TimerFields } from './timer-fields.tsx'

type TabProps = { builder: Builder; issues: Issue[] }

/** What the trigger listens to. */
export function SourceTab({ builder, issues }: TabProps) {
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
        onChange={(next) => next !== null && next !== type && dispatch({ type: 'change', part: otherSpec(next, spec) })}
        allowDeselect={false}
      />
      {kind && <OwnSource builder={builder} issues={issues} />}
      {type === 'evm_log' && <EvmEvent builder={builder} issues={issues} />}
      {type === 'solana_event' && <SolanaItem builder={builder} issues={issues} kind="event" />}
      {type === 'substrate_event' && <NameFields fields={[pallet, event]} builder={builder} issues={issues} />}
      {type === 'substrate_call' && <SubstrateCall builder={builder} issues={issues} />}
      {type === 'evm_call' && <EvmCall builder={builder} issues={issues} />}
      {type === 'solana_instruction' && <SolanaItem builder={builder} issues={issues} kind="instruction" />}
      {type.endsWith('_block') && <BlockFields builder={builder} issues={issues} />}
      {type === 'timer' && <TimerFields builder={builder} issues={issues} />}
      {kind && <BindingFields builder={builder} issues={issues} />}
      {type === 'stream' ? <StreamFields builder={builder} /> : <StreamHint />}
    </Stack>
  )
}

/** The source of the trigger. With several sources it is one of them: the one that tests use. */
function OwnSource({ builder: { state, dispatch } }: TabProps) {
  const { triggerSpec, sourceBindings = [] } = state.definition
  const value = textOf(triggerSpec?.dataSource)
  const choose = (dataSource: string) => dispatch({ type: 'changeSpec', part: { dataSource } })
  if (sourceBindings.length === 0) return <SourceSelect kind={kindOf(triggerSpec)} value={value} onChange={choose} />
  const sources = [...new Set([...sourceBindings.map(({ dataSource }) => textOf(dataSource)), value])]
  return (
    <Select
      label="Source of tests"
      description="Tests and samples use this source. The trigger watches all sources below."
      data={sources.filter((source) => source !== '')}
      value={value || null}
      onChange={(source) => source !== null && choose(source)}
      allowDeselect={false}
    />
  )
}

function SubstrateCall({ builder, issues }: TabProps) {
  return (
    <>
      <NameFields fields={[pallet, call]} builder={builder} issues={issues} />
      <OutcomeField builder={builder} issues={issues} />
      <SpecSwitch
        builder={builder}
        field="nested"
        isDefault={true}
        label="Include calls inside other calls"
        description="Also the calls inside batch, proxy, multisig and sudo calls."
      />
    </>
  )
}

/** A spec of another type. Sources of another kind of chain do not fit, so the bindings go with the old spec. */
function otherSpec(type: string, before: Fields | null) {
  const triggerSpec = blankSpec(type, before)
  return kindOf(triggerSpec) === kindOf(before) ? { triggerSpec } : { triggerSpec, sourceBindings: undefined }
}

type NameField = { field: string; label: string; placeholder: string }
const pallet: NameField = { field: 'pallet', label: 'Pallet', placeholder: 'balances' }
const event: NameField = { field: 'event', label: 'Event', placeholder: 'Transfer' }
const call: NameField = { field: 'call', label: 'Call', placeholder: 'transfer_keep_alive' }

/** Names that select items, such as a pallet and its event. */
function NameFields({ fields, builder: { state, dispatch }, issues }: TabProps & { fields: NameField[] }) {
  return fields.map(({ field, label, placeholder }) => (
    <TextInput
      key={field}
      label={label}
      description={`Leave empty to watch every ${label.toLowerCase()}.`}
      error={issueAt(issues, `triggerSpec.${field}`)}
      placeholder={placeholder}
      value={textOf(state.definition.triggerSpec?.[field])}
      onChange={(event) => dispatch({ type: 'changeSpec', part: { [field]: event.currentTarget.value || undefined } })}
      spellCheck={false}
    />
  ))
}
