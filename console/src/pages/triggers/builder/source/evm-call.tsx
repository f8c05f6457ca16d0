import { Select, Switch, TextInput } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { issueAt } from '../../../../components/issue-list.tsx'
import { LongText } from '../../../../forms/long-text.tsx'
import { textOf } from '../../model/definition.ts'
import type { Builder } from '../state/builder-state.ts'
import { ContractField } from './contract-field.tsx'

const outcomes = [
  { value: 'true', label: 'Calls that succeeded' },
  { value: 'false', label: 'Calls that failed' },
  { value: 'any', label: 'All calls' },
]
const successOf: Record<string, boolean | 'any' | undefined> = { true: undefined, false: false, any: 'any' }

/** The contract and the function of a trigger on calls. */
export function EvmCall({ builder, issues }: { builder: Builder; issues: Issue[] }) {
  const { state, dispatch } = builder
  const spec = state.definition.triggerSpec ?? {}
  const change = (part: Record<string, unknown>) => dispatch({ type: 'changeSpec', part })
  return (
    <>
      <ContractField builder={builder} issues={issues} description="Leave empty to watch calls of every contract." />
      <TextInput
        label="Method"
        description="A signature such as transfer(address,uint256), a selector such as 0xa9059cbb, or a name of the ABI. Leave empty for every method."
        value={textOf(spec.method)}
        onChange={(event) => change({ method: event.currentTarget.value || undefined })}
        error={issueAt(issues, 'triggerSpec.method')}
        spellCheck={false}
      />
      <LongText
        label="ABI"
        description="JSON, or lines such as: function transfer(address to, uint256 amount)"
        value={textOf(spec.abiFragment)}
        onText={(text) => change({ abiFragment: text || undefined })}
        error={issueAt(issues, 'triggerSpec.abiFragment')}
        minRows={3}
        maxRows={10}
        isCode
      />
      <Select
        label="Outcome"
        data={outcomes}
        value={String(spec.success ?? true)}
        onChange={(value) => value !== null && change({ success: successOf[value] })}
        error={issueAt(issues, 'triggerSpec.success')}
        allowDeselect={false}
      />
      <Switch
        label="Include calls between contracts"
        description="The source needs a node with traces. Without it, only the transactions' own calls match."
        checked={spec.internal === true}
        onChange={(event) => change({ internal: event.currentTarget.checked || undefined })}
      />
    </>
  )
}
