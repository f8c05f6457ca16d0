import { Stack, Text } from '@mantine/core'
import { MessageFields } from '../../../layouts/message/message-fields.tsx'
import { OverridesPreview } from './overrides-preview.tsx'
import type { StepProps } from './step-props.ts'
import { triggerOf } from './steps.ts'

type MessageFieldProps = StepProps & {
  /** The options are open. While they are folded, the preview does not run the trigger. */
  isShown: boolean
}

/** Message texts that replace the trigger's for this subscription. */
export function MessageField({ draft, change, projectData, errorOf, savedId, isShown }: MessageFieldProps) {
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
      {savedId === undefined ? (
        <Text size="sm" c="dimmed">
          The next step shows the message on each channel.
        </Text>
      ) : (
        isShown && <OverridesPreview id={savedId} project={draft.project} overrides={overrides} />
      )}
    </Stack>
  )
}
