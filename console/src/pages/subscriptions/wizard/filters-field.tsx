import { ConditionField } from '../../../forms/conditions/condition-field.tsx'
import { filterNames } from '../../../forms/conditions/condition-form.ts'
import { useItemToken } from '../../../forms/conditions/use-item-token.ts'
import type { StepProps } from './step-props.ts'
import { triggerOf } from './steps.ts'

/** Edits the conditions of the subscription. */
export function FiltersField({ draft, change, projectData, errorOf }: StepProps) {
  const trigger = triggerOf(draft, projectData)
  const fields = filterNames(trigger?.filtersSchema)
  const token = useItemToken({ triggerSpec: trigger?.triggerSpec, fields, conditions: draft.conditions })
  const problem = errorOf('conditions')
  return (
    <ConditionField
      about="Without filters, every match creates an alert."
      noun="filter"
      fields={fields}
      placeholder="Field or path, such as token.symbol"
      hasTokens={false}
      token={token}
      value={draft.conditions}
      onChange={(conditions) => change({ conditions: conditions ?? null })}
      issues={problem === undefined ? [] : [{ path: 'conditions', message: problem }]}
      invalidText={{
        current: draft.invalidConditions && { label: 'Conditions', ...draft.invalidConditions },
        set: (invalidConditions) => change({ invalidConditions }),
      }}
    />
  )
}
