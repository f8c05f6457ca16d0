import { Stack, Text } from '@mantine/core'
import { MessageFields } from '../../../layouts/message/message-fields.tsx'
import type { StepProps } from './step-props.ts'
import { triggerOf } from './steps.ts'

/** Message texts that replace the trigger's for this subscription. */
export function MessageStep({ draft, change, projectData, errorOf }: StepProps) {
  const { overrides } = draft
  const put = (name: string, value: unknown) => {
    const { [name]: _before, ...rest } = overrides
    change({ overrides: value === undefined ? rest : { ...rest, [name]: value } })
  }
  return (
    <Stack gap="md">
      <Text size="sm">
        Leave a field empty to use the text of the trigger. Your text applies to this subscription only.
      </Text>
      <MessageFields
        value={overrides}
        put={put}
        fallback={triggerOf(draft, projectData)?.defaults ?? {}}
        errorOf={(path) => errorOf(`overrides.${path}`)}
      />
    </Stack>
  )
}
