import { Autocomplete, NumberInput, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { issueAt } from '../../../../components/issue-list.tsx'
import { isObject } from '../../../../forms/json.ts'
import { LongText } from '../../../../forms/long-text.tsx'
import { type AbiItem, chosenIn, itemsInAbi, signatureOf } from '../../model/abi-items.ts'
import { type Fields, textOf } from '../../model/definition.ts'
import { ItemChoice } from './item-choice.tsx'

type ContractFieldProps = {
  value: unknown
  onChange: (contract: unknown) => void
  issues: Issue[]
  /** The path at which the service reports issues. */
  path: string
  description: string
}

/** The contracts that a trigger watches: one address, several on lines of their own, or those that a factory creates. */
export function ContractField({ value, onChange, issues, path, description }: ContractFieldProps) {
  const factory = factoryOf(value)
  // What the other form had, so that a wrong click loses nothing.
  const [other, setOther] = useState<unknown>()
  const change = (form: string) => {
    if ((form === 'factory') === (factory !== undefined)) return
    setOther(value)
    onChange(other ?? (form === 'factory' ? { factory: blankFactory } : undefined))
  }
  return (
    <Stack gap="xs">
      <SegmentedControl
        size="xs"
        aria-label="Contracts"
        style={{ alignSelf: 'flex-start' }}
        data={[
          { value: 'addresses', label: 'Addresses' },
          { value: 'factory', label: 'Created by a factory' },
        ]}
        value={factory ? 'factory' : 'addresses'}
        onChange={change}
      />
      {factory ? (
        <FactoryFields
          factory={factory}
          onChange={(next) => onChange({ factory: next })}
          issues={issues}
          path={`${path}.factory`}
        />
      ) : (
        <Addresses value={value} onChange={onChange} issues={issues} path={path} description={description} />
      )}
    </Stack>
  )
}

const blankFactory: Fields = { contract: '', event: '', abiFragment: '', parameter: '' }

function factoryOf(contract: unknown): Fields | undefined {
  return isObject(contract) && isObject(contract.factory) ? contract.factory : undefined
}

function Addresses({ value, onChange, issues, path, description }: ContractFieldProps) {
  const [typed, setTyped] = useState('')
  const stored = textOfContracts(value)
  // The typed text also has empty lines, which the definition does not store.
  const isCurrent = textOfContracts(contractsIn(typed)) === stored
  if (isObject(value)) return <Text c="dimmed">This form of contract is edited in the JSON of the definition.</Text>
  return (
    <LongText
      label="Contract"
      description={`${description} Write several addresses on lines of their own.`}
      placeholder="0x…"
      value={isCurrent ? typed : stored}
      onText={(text) => {
        setTyped(text)
        onChange(contractsIn(text))
      }}
      error={issueOf(issues, path)}
      minRows={1}
      maxRows={8}
      isCode
    />
  )
}

function textOfContracts(contract: unknown): string {
  return Array.isArray(contract) ? contract.map(textOf).join('\n') : textOf(contract)
}

function contractsIn(text: string): string | string[] | undefined {
  const addresses = text.split(/[\s,]+/).filter((address) => address !== '')
  return addresses.length > 1 ? addresses : addresses[0]
}

/** The issue of the contract, or of the first wrong address. */
function issueOf(issues: Issue[], path: string): string | undefined {
  const issue = issues.find((issue) => issue.path === path || /^\.\d+$/.test(issue.path.replace(path, '')))
  const line = issue && /\.(\d+)$/.exec(issue.path.slice(path.length))?.[1]
  return issue && (line === undefined ? issue.message : `Address ${Number(line) + 1}: ${issue.message}`)
}

type FactoryFieldsProps = { factory: Fields; onChange: (factory: Fields) => void; issues: Issue[]; path: string }

/** The contracts that a factory creates: the factory, its event, and the parameter that names the new contract. */
function FactoryFields({ factory, onChange, issues, path }: FactoryFieldsProps) {
  const [pasted, setPasted] = useState(() => textOf(factory.abiFragment))
  const put = (part: Fields) => onChange({ ...factory, ...part })
  const chosen = chosenIn(factory.abiFragment, factory.event, 'event')
  const addresses = addressesOf(chosen)
  const paste = (text: string) => {
    setPasted(text)
    put({ abiFragment: text })
  }
  const choose = (event: AbiItem) =>
    put({ event: event.name, abiFragment: event.fragment, parameter: addressesOf(event)[0] ?? '' })
  return (
    <>
      <TextInput
        label="Factory"
        description="The address of the contract that creates the contracts."
        placeholder="0x…"
        value={textOf(factory.contract)}
        onChange={(event) => put({ contract: event.currentTarget.value })}
        error={issueAt(issues, `${path}.contract`)}
        spellCheck={false}
      />
      <LongText
        label="ABI of the factory"
        description="Paste JSON or a line such as: event PairCreated(address indexed token0, address indexed token1, address pair, uint256)"
        value={pasted}
        onText={paste}
        error={issueAt(issues, `${path}.abiFragment`) ?? issueAt(issues, `${path}.event`)}
        minRows={2}
        maxRows={10}
        isCode
      />
      <ItemChoice
        noun="event"
        items={itemsInAbi(pasted, 'event').items.map((item) => ({ item, name: item.name, text: signatureOf(item) }))}
        isChosen={(item) => chosen !== undefined && factory.event !== '' && signatureOf(item) === signatureOf(chosen)}
        choose={choose}
      />
      <Autocomplete
        label="Parameter"
        description="The parameter of the event that holds the address of the new contract."
        data={addresses}
        value={textOf(factory.parameter)}
        onChange={(parameter) => put({ parameter })}
        error={issueAt(issues, `${path}.parameter`)}
        spellCheck={false}
      />
      <NumberInput
        label="From block"
        description="Contracts that were created earlier do not count. Leave empty for the block of the save."
        min={0}
        allowDecimal={false}
        value={typeof factory.fromBlock === 'number' ? factory.fromBlock : ''}
        onChange={(fromBlock) => put({ fromBlock: typeof fromBlock === 'number' ? fromBlock : undefined })}
        error={issueAt(issues, `${path}.fromBlock`)}
      />
    </>
  )
}

function addressesOf(event: AbiItem | undefined): string[] {
  return (event?.parameters ?? []).filter(({ type }) => type === 'address').map(({ name }) => name)
}
