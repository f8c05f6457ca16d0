import { initialValues } from '../../../forms/schema/read-fields.ts'
import { ValueFields } from '../../../forms/schema/value-fields.tsx'
import type { StepProps } from './step-props.ts'
import { fieldsFor } from './steps.ts'

export function ValuesStep({ draft, change, facts, errorOf }: StepProps) {
  const fields = fieldsFor(draft, facts)
  const values = initialValues(fields, draft.values)
  const set = (name: string, value: unknown) => change({ values: { ...values, [name]: value } })
  return <ValueFields fields={fields} values={values} onChange={set} errorOf={errorOf} />
}
