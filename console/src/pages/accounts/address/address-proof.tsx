import { Button, Group, Text } from '@mantine/core'
import { ErrorNotice } from '../../../components/error-notice.tsx'
import { useChange } from '../../../data/changes.ts'

/** Offers the link that verifies the address. Without a mail server there is none. */
export function AddressProof({ isVerified, hasMail }: { isVerified: boolean; hasMail: boolean }) {
  const ask = useChange('requestAddressProof', { notice: 'The link is on its way. Open it in this browser.' })
  if (isVerified) return <Text size="sm">This address is confirmed.</Text>
  return (
    <>
      <ErrorNotice error={ask.error} />
      <Group gap="sm">
        <Text size="sm">Nobody has confirmed yet that this address is yours.</Text>
        {hasMail && (
          <Button size="xs" variant="default" loading={ask.isPending} onClick={() => ask.mutate({})}>
            Send a link
          </Button>
        )}
      </Group>
    </>
  )
}
