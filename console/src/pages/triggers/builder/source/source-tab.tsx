import { Select, Stack, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { issueAt } from '../../../../components/issue-list.tsx'
import { LongText } from '../../../../forms/long-text.tsx'
import { textOf } from '../../model/definition.ts'
import { blankSpec, kindOf, specKinds, specType } from '../../model/spec-kinds.ts'
import type { Builder } from '../state/builder-state.ts'
import { BlockFields } from './block-fields.tsx'
import { EvmCall } from './evm-call.tsx'
import { EvmEvent } from './evm-event.tsx'
import { SolanaEvent } from './solana-event.tsx'
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
      {type === 'evm_log' && <EvmEvent builder={builder} issues={issues} />}
      {type === 'solana_event' && <SolanaEvent builder={builder} issues={issues} />}
      {type === 'substrate_event' && <NameFields fields={[pallet, event]} builder={builder} issues={issues} />}
      {type === 'substrate_call' && <NameFields fields={[pallet, call]} builder={builder} issues={issues} />}
      {type === 'evm_call' && <EvmCall builder={builder} issues={issues} />}
      {type === 'solana_instruction' && (
        <>
          <NameFields fields={[program, instruction]} builder={builder} issues={issues} />
          <InstructionIdl builder={builder} issues={issues} />
        </>
      )}
      {type.endsWith('_block') && <BlockFields builder={builder} issues={issues} />}
      {type === 'timer' && <TimerFields builder={builder} issues={issues} />}
      {type === 'stream' ? <StreamFields builder={builder} /> : <StreamHint />}
    </Stack>
  )
}

type NameField = { field: string; label: string; placeholder: string }
const pallet: NameField = { field: 'pallet', label: 'Pallet', placeholder: 'balances' }
const event: NameField = { field: 'event', label: 'Event', placeholder: 'Transfer' }
const call: NameField = { field: 'call', label: 'Call', placeholder: 'transfer_keep_alive' }
const program: NameField = { field: 'programId', label: 'Program', placeholder: 'the address of the program' }
const instruction: NameField = { field: 'instruction', label: 'Instruction', placeholder: 'transfer_checked' }

/** Names that select items, such as a pallet and its event. The JSON tab edits the other fields. */
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

/** The contract accepts an IDL as JSON text, so the field stores what the user types. */
function InstructionIdl({ builder: { state, dispatch }, issues }: TabProps) {
  return (
    <LongText
      label="IDL"
      description="Paste the Anchor IDL of the program as JSON."
      value={textOf(state.definition.triggerSpec?.idl)}
      onText={(text) => dispatch({ type: 'changeSpec', part: { idl: text || undefined } })}
      error={issueAt(issues, 'triggerSpec.idl')}
      minRows={3}
      maxRows={10}
      isCode
    />
  )
}
