import { SegmentedControl, Stack, Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { isObject } from '../../../../forms/json.ts'
import { LongText } from '../../../../forms/long-text.tsx'
import { type Fields, textOf } from '../../model/definition.ts'
import { FactoryFields } from './factory-fields.tsx'

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
