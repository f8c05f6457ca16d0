import { Button, Group, Text, TextInput } from '@mantine/core'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconRefresh } from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'
import { useChange } from '../../data/changes.ts'
import { useApiQuery } from '../../data/queries.ts'

/** The invite link, for owners and admins. */
export function InviteSection({ fullname }: { fullname: string }) {
  const { data: workspace, error } = useApiQuery('getWorkspace', { fullname })
  const reset = useChange('saveWorkspace', { notice: 'New invite link created. The old link no longer works.' })
  if (error) return <ErrorNotice error={error} />
  if (!workspace?.invite) return null
  const { tags, labels, meta } = workspace
  const link = inviteLink(fullname, workspace.invite)
  return (
    <Section title="Invite with a link" about="Anyone with this link can join the workspace with the role user.">
      <Group align="flex-end" gap="xs">
        <TextInput
          flex="1 1 260px"
          label="Invite link"
          value={link}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton value={link} what="link" isWide />
        <ConfirmAction
          title="Create a new invite link?"
          text="The current link stops working. People who already joined stay members."
          verb="Create new link"
          act={() => reset.mutateAsync({ fullname, body: { fullname, tags, labels, meta, resetInvite: true } })}
        >
          {(open) => (
            <Button variant="default" leftSection={<IconRefresh />} onClick={open}>
              Create new link
            </Button>
          )}
        </ConfirmAction>
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        Send it only to people you trust. It works until you create a new one.
      </Text>
    </Section>
  )
}

/** The invite is in the fragment, which browsers do not send, so no server logs it. */
function inviteLink(workspace: string, invite: string): string {
  return `${location.origin}/join/${workspace}#${invite}`
}
