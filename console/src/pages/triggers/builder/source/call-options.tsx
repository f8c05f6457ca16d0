import { Select, Switch } from '@mantine/core'
import type { Issue } from '@tocsin/contract'
import { issueAt } from '../../../../components/issue-list.tsx'
import type { Builder } from '../state/builder-state.ts'

type FieldProps = { builder: Builder; issues: Issue[] }

const outcomes = [
  { value: 'true', label: 'Calls that succeeded' },
  { value: 'false', label: 'Calls that failed' },
  { value: 'any', label: 'All calls' },
]
const successOf: Record<string, boolean | 'any' | undefined> = { true: undefined, false: false, any: 'any' }

/** Which calls match, by how they ended. */
export function OutcomeField({ builder: { state, dispatch }, issues }: FieldProps) {
  return (
    <Select
      label="Outcome"
      data={outcomes}
      value={String(state.definition.triggerSpec?.success ?? true)}
      onChange={(value) => value !== null && dispatch({ type: 'changeSpec', part: { success: successOf[value] } })}
      error={issueAt(issues, 'triggerSpec.success')}
      allowDeselect={false}
    />
  )
}

const depths = [
  { value: 'false', label: 'Only the calls that transactions make themselves' },
  { value: 'auto', label: 'Also calls between contracts, if the source has traces' },
  { value: 'true', label: 'Also calls between contracts; the source must have traces' },
]
const internalOf: Record<string, boolean | 'auto' | undefined> = { false: undefined, auto: 'auto', true: true }

/** Whether calls inside transactions match. */
export function DepthField({ builder: { state, dispatch }, issues }: FieldProps) {
  return (
    <Select
      label="Depth"
      data={depths}
      value={String(state.definition.triggerSpec?.internal ?? false)}
      onChange={(value) => value !== null && dispatch({ type: 'changeSpec', part: { internal: internalOf[value] } })}
      error={issueAt(issues, 'triggerSpec.internal')}
      allowDeselect={false}
    />
  )
}

type SpecSwitchProps = {
  builder: Builder
  field: 'nested' | 'inner'
  /** The value of the service if the field is absent. */
  isDefault: boolean
  label: string
  description: string
}

/** A boolean of the spec. The default is not stored. */
export function SpecSwitch({ builder: { state, dispatch }, field, isDefault, label, description }: SpecSwitchProps) {
  const value = state.definition.triggerSpec?.[field]
  return (
    <Switch
      label={label}
      description={description}
      checked={typeof value === 'boolean' ? value : isDefault}
      onChange={({ currentTarget: { checked } }) =>
        dispatch({ type: 'changeSpec', part: { [field]: checked === isDefault ? undefined : checked } })
      }
    />
  )
}
