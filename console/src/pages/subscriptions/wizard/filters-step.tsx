import { ConditionField } from '../../../forms/conditions/condition-field.tsx'
import { fieldsOf } from '../../../forms/value-form/read-fields.ts'
import type { StepProps } from './step-props.ts'
import { triggerOf } from './steps.ts'

/** Edits the conditions of the subscription. */
export function FiltersStep({ draft, change, projectData, errorOf }: StepProps) {
  const fields = fieldsOf(triggerOf(draft, projectData)?.filtersSchema ?? {})
  const problem = errorOf('conditions')
  return (
    <ConditionField
      about="Without filters, every match creates an alert."
      noun="filter"
      fields={fields.map(({ name, kind, choices, addressType }) => ({
        name,
        kind,
        choices,
        addressType,
        isOffered: true,
      }))}
      placeholder="Field or path, such as token.symbol"
      hasTokens={false}
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
