import { Stack, Text } from '@mantine/core'
import { MessageFields } from '../../../frames/message/message-fields.tsx'
import type { StepProps } from './step-props.ts'
import { triggerOf } from './steps.ts'

/** What the message says, where the trigger's own words do not do. */
export function WordsStep({ draft, change, facts, errorOf }: StepProps) {
  const { overrides } = draft
  const put = (name: string, value: unknown) => {
    const { [name]: _before, ...rest } = overrides
    change({ overrides: value === undefined ? rest : { ...rest, [name]: value } })
  }
  return (
    <Stack gap="md">
      <Text size="sm">
        Leave everything empty to hear it in the words of the trigger. What you write here counts for this subscription
        alone.
      </Text>
      <MessageFields
        value={overrides}
        put={put}
        otherwise={triggerOf(draft, facts)?.defaults ?? {}}
        errorOf={(path) => errorOf(`overrides.${path}`)}
      />
    </Stack>
  )
}
