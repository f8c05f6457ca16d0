import { Text } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { useState } from 'react'
import { LongText } from '../../../../forms/long-text.tsx'
import { textOf } from '../../model/definition.ts'
import type { Builder } from '../state/builder-state.ts'

type ContractFieldProps = { builder: Builder; issues: Issue[]; description: string }

/** The contracts that a trigger watches: one address, or several on lines of their own. */
export function ContractField({ builder: { state, dispatch }, issues, description }: ContractFieldProps) {
  const contract = state.definition.triggerSpec?.contract
  const [typed, setTyped] = useState('')
  const stored = textOfContracts(contract)
  // The typed text also has empty lines, which the definition does not store.
  const isCurrent = textOfContracts(contractsIn(typed)) === stored
  const write = (text: string) => {
    setTyped(text)
    dispatch({ type: 'changeSpec', part: { contract: contractsIn(text) } })
  }
  if (typeof contract === 'object' && contract !== null && !Array.isArray(contract))
    return <Text c="dimmed">The contracts that a factory creates. Edit the factory in the JSON of the definition.</Text>
  return (
    <LongText
      label="Contract"
      description={`${description} Write several addresses on lines of their own.`}
      placeholder="0x…"
      value={isCurrent ? typed : stored}
      onText={write}
      error={issueOf(issues)}
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

function issueOf(issues: Issue[]): string | undefined {
  const issue = issues.find(({ path }) => /^triggerSpec\.contract(?:\.\d+)?$/.test(path))
  const line = issue && /\.(\d+)$/.exec(issue.path)?.[1]
  return issue && (line === undefined ? issue.message : `Address ${Number(line) + 1}: ${issue.message}`)
}
