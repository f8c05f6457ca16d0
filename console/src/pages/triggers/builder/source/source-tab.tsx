import { Autocomplete, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { issueAt } from '../../../../components/issue-list.tsx'
import { useApiList } from '../../../../data/lists.ts'
import { notifySuccess } from '../../../../data/notices.ts'
import { useWorkspace } from '../../../../data/use-workspace.ts'
import { JsonField } from '../../../../forms/json-field.tsx'
import { LongText } from '../../../../forms/long-text.tsx'
import { suggestFor } from '../../model/abi-fields.ts'
import { type AbiItem, chosenIn, itemsInAbi, signatureOf } from '../../model/abi-items.ts'
import { type Fields, textOf } from '../../model/definition.ts'
import { blankSpec, kindOf, specKinds, specType } from '../../model/spec-kinds.ts'
import { type Builder, invalidTextIn } from '../state/builder-state.ts'
import { BindingFields } from './binding-fields.tsx'
import { DepthField, OutcomeField, SpecSwitch } from './call-options.tsx'
import { ContractField } from './contract-field.tsx'
import { EvmEvent } from './evm-event.tsx'
import { ItemChoice } from './item-choice.tsx'
import { SolanaItem } from './solana-item.tsx'
import { SourceSelect } from './source-select.tsx'

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

/** Which blocks a trigger on blocks matches. */
function BlockFields({ builder: { state, dispatch }, issues }: { builder: Builder; issues: Issue[] }) {
  const every = state.definition.triggerSpec?.every
  return (
    <NumberInput
      label="Every"
      description="Matches the blocks whose number is divisible by this number. Leave empty for every block."
      placeholder="1"
      value={typeof every === 'number' ? every : ''}
      onChange={(value) =>
        dispatch({ type: 'changeSpec', part: { every: typeof value === 'number' ? value : undefined } })
      }
      error={issueAt(issues, 'triggerSpec.every')}
      min={1}
      max={100_000}
      allowDecimal={false}
    />
  )
}

/** A duration, or cron fields with their time zone. */
function TimerFields({ builder: { state, dispatch }, issues }: { builder: Builder; issues: Issue[] }) {
  const spec = state.definition.triggerSpec
  const interval = textOf(spec?.interval)
  const timezone = textOf(spec?.timezone)
  const isCron = interval.trim().includes(' ')
  return (
    <>
      <TextInput
        label="Interval"
        description="A duration from 10s to 30d, such as 5m or 1h30m, or five cron fields, such as 0 9 * * 1-5 (weekdays at 9:00)."
        value={interval}
        onChange={(event) => dispatch({ type: 'changeSpec', part: { interval: event.currentTarget.value } })}
        error={issueAt(issues, 'triggerSpec.interval')}
      />
      {(isCron || timezone !== '') && (
        <TextInput
          label="Time zone"
          description="The zone of the cron fields, such as Europe/Paris. Leave empty for UTC."
          placeholder="UTC"
          value={timezone}
          onChange={(event) =>
            dispatch({ type: 'changeSpec', part: { timezone: event.currentTarget.value || undefined } })
          }
          error={issueAt(issues, 'triggerSpec.timezone')}
          spellCheck={false}
        />
      )}
    </>
  )
}

/** A stream inside the service: the output of another trigger, or status events of a trigger or a source. */
function StreamFields({ builder }: { builder: Builder }) {
  const { state, dispatch } = builder
  const { backend, fullname } = state.definition
  const put = (part: Partial<typeof backend>) =>
    dispatch({ type: 'change', part: { backend: { ...backend, ...part } } })
  return (
    <>
      <Autocomplete
        label="Stream"
        description="The full name of a trigger, for its output. Append .events to the name of a trigger or a source for its status events."
        placeholder="acme.dex.swap or acme.devnet.events"
        data={useStreams(fullname)}
        limit={30}
        value={backend.trigger ?? ''}
        onChange={(stream) => put({ trigger: stream || undefined })}
        spellCheck={false}
      />
      <JsonField
        label="Values"
        description="Only items with these values match. Leave empty to match all items."
        value={backend.values}
        onChange={(values) => put({ values })}
        invalidText={invalidTextIn(builder, 'backend.values', 'Values (Source tab)')}
      />
      {!backend.trigger && (
        <Text size="sm" c="dimmed">
          Enter a stream. Without it, the trigger receives no items.
        </Text>
      )}
    </>
  )
}

/** Suggests the streams of the workspace. The user can type others. */
function useStreams(own: string): string[] {
  const { fullname: workspace } = useWorkspace()
  const triggers = useApiList('listTriggers', { query: { workspace } })
  const custom = useApiList('listCustomSources', { query: { workspace } })
  const runtime = useApiList('listRuntimeSources', {})
  const others = triggers.items.map(({ fullname }) => fullname).filter((fullname) => fullname !== own)
  const sources = [...custom.items, ...runtime.items].map(({ fullname }) => `${fullname}.events`)
  return [...new Set([...others.flatMap((fullname) => [fullname, `${fullname}.events`]), ...sources])]
}

/** Explains streams to users who look for them among the chains. */
function StreamHint() {
  return (
    <Text size="sm" c="dimmed">
      A trigger can also listen to other triggers and to sources. Choose Stream, then <code>{'<trigger>'}</code> for the
      output of a trigger, or <code>{'<trigger>.events'}</code> and <code>{'<source>.events'}</code> for status events.
    </Text>
  )
}

/** The contract and the function of a trigger on calls. The ABI is stored as typed until the user chooses a function. */
function EvmCall({ builder, issues }: { builder: Builder; issues: Issue[] }) {
  const { state, dispatch } = builder
  const spec = state.definition.triggerSpec ?? {}
  const [pasted, setPasted] = useState(() => textOf(spec.abiFragment))
  const change = (part: Fields) => dispatch({ type: 'changeSpec', part })
  const chosen = spec.method === undefined ? undefined : chosenIn(spec.abiFragment, spec.method, 'function')
  const fill = (item: AbiItem) => {
    dispatch({ type: 'change', part: suggestFor(item, 'function') })
    notifySuccess('Filters, output, transform and message filled in.')
  }
  return (
    <>
      <ContractField
        value={spec.contract}
        onChange={(contract) => change({ contract })}
        issues={issues}
        path="triggerSpec.contract"
        description="Leave empty to watch calls of every contract."
      />
      <LongText
        label="ABI"
        description="JSON, or lines such as: function transfer(address to, uint256 amount)"
        value={pasted}
        onText={(text) => {
          setPasted(text)
          change({ abiFragment: text || undefined })
        }}
        error={issueAt(issues, 'triggerSpec.abiFragment')}
        minRows={3}
        maxRows={10}
        isCode
      />
      <ItemChoice
        noun="function"
        items={itemsInAbi(pasted, 'function').items.map((item) => ({ item, name: item.name, text: signatureOf(item) }))}
        isChosen={(item) => chosen !== undefined && signatureOf(item) === signatureOf(chosen)}
        choose={({ name, fragment }) => change({ method: name, abiFragment: fragment })}
        fill={fill}
      />
      <TextInput
        label="Method"
        description="A name of the ABI, a signature such as transfer(address,uint256), or a selector such as 0xa9059cbb. Leave empty for every method."
        value={textOf(spec.method)}
        onChange={(event) => change({ method: event.currentTarget.value || undefined })}
        error={issueAt(issues, 'triggerSpec.method')}
        spellCheck={false}
      />
      <OutcomeField builder={builder} issues={issues} />
      <DepthField builder={builder} issues={issues} />
    </>
  )
}
