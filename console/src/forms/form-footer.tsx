import { Button, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorNotice } from '../components/error-notice.tsx'

type FormFooterProps = {
  failure: unknown
  isSaving: boolean
  verb: string
  shownElsewhere?: (path: string) => boolean
  children?: ReactNode
  /** Makes the button as wide as the form. */
  isWide?: boolean
}

/** The end of a form: the error, then the submit button and other buttons. */
export function FormFooter({ failure, isSaving, verb, shownElsewhere, children, isWide = false }: FormFooterProps) {
  return (
    <Stack gap="sm" mt="xs">
      <ErrorNotice error={failure} {...(shownElsewhere && { shownElsewhere })} />
      <Group gap="xs">
        <Button type="submit" loading={isSaving} fullWidth={isWide}>
          {verb}
        </Button>
        {children}
      </Group>
    </Stack>
  )
}
