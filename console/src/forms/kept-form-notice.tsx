import { Button, Text } from '@mantine/core'
import { Notice } from '../components/notice.tsx'

/** Says that the form shows values that were not saved before a reload. */
export function KeptFormNotice({ form: { isBack, discard } }: { form: { isBack: boolean; discard: () => void } }) {
  if (!isBack) return null
  return (
    <Notice tone="info" title="Your unsaved changes are back">
      <Text size="sm">This tab kept them while the page was loaded again. Secrets are not kept.</Text>
      <Button size="xs" variant="default" mt="xs" onClick={discard}>
        Discard these changes
      </Button>
    </Notice>
  )
}
