import { Stack } from '@mantine/core'
import { DestinationsField } from './destinations-field.tsx'
import { Options } from './options.tsx'
import type { StepProps } from './step-props.ts'

/** Step 2: the destinations, and folded below them how often, with which text and when alerts are sent. */
export function WhereStep({ hasOptionIssue, ...props }: StepProps & { hasOptionIssue: boolean }) {
  return (
    <Stack gap="lg">
      <DestinationsField {...props} />
      <Options {...props} hasIssue={hasOptionIssue} />
    </Stack>
  )
}
