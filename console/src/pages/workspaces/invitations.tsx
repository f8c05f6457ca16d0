import { Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { Level } from '@tocsin/contract'
import { ConfirmAction, DangerButton } from '../../components/confirm-action.tsx'
import { Section } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import type { Item } from '../../data/api.ts'
import { useChange } from '../../data/changes.ts'
import { useApiList } from '../../data/lists.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { KeptFormNotice } from '../../forms/kept-form-notice.tsx'
import { expiryOf, type Lifetime, LifetimeField } from '../../forms/lifetime-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { levels } from './levels.ts'

type Invitation = Item<'listInvitations'>

const lifetimes: Lifetime[] = [1, 7, 30]

/** Invitations by e-mail, for owners and admins. */
export function InvitationsSection({ fullname, myLevel }: { fullname: string; myLevel: Level }) {
  const { items } = useApiList('listInvitations', { fullname })
  const pending = items.filter(({ state }) => state === 'pending')
  return (
    <Section
      title="Invite by e-mail"
      about="The person gets a link that works once, and only for an account with this e-mail address."
    >
      <InvitationForm fullname={fullname} myLevel={myLevel} />
      {pending.length > 0 && (
        <Stack gap="xs" mt="md" component="ul" aria-label="Pending invitations" pl={0}>
          {pending.map((invitation) => (
            <PendingInvitation key={invitation.id} invitation={invitation} />
          ))}
        </Stack>
      )}
    </Section>
  )
}

function InvitationForm({ fullname, myLevel }: { fullname: string; myLevel: Level }) {
  const invite = useChange('createInvitation', { notice: 'Invitation sent.' })
  const initial: { email: string; level: Level; days: Lifetime } = { email: '', level: 'user', days: 7 }
  const form = useForm({
    initial,
    check: ({ email }) => (email.trim() === '' ? [{ path: 'email', message: 'Enter an e-mail address' }] : []),
    save: ({ email, level, days }) =>
      invite.mutateAsync({ fullname, body: { email, level, ...(days !== null && { expiresAt: expiryOf(days) }) } }),
    keep: { name: `invitation ${fullname}` },
    isEmptiedBySave: true,
  })
  const offered = levels.filter(({ value }) => value !== 'owner' || myLevel === 'owner')
  return (
    <form onSubmit={form.submit} noValidate>
      <KeptFormNotice form={form} />
      <Group align="flex-start" gap="xs">
        <TextInput flex="1 1 240px" label="E-mail" type="email" {...form.text('email')} />
        <Select
          label="Role"
          data={offered}
          value={form.values.level}
          onChange={(value) => form.set('level', offered.find((each) => each.value === value)?.value ?? 'user')}
          allowDeselect={false}
        />
        <LifetimeField offered={lifetimes} value={form.values.days} onChange={(days) => form.set('days', days)} />
      </Group>
      <FormFooter
        failure={form.failure}
        isSaving={form.isSaving}
        verb="Send invitation"
        shownElsewhere={(path) => path === 'email'}
      />
    </form>
  )
}

function PendingInvitation({ invitation: { id, workspace, email, level, expiresAt } }: { invitation: Invitation }) {
  const revoke = useChange('deleteInvitation', { notice: `Invitation of ${email} revoked.` })
  return (
    <Group component="li" justify="space-between" gap="xs">
      <Text size="sm">
        {email} · {level} · expires <RelativeTime at={expiresAt} />
      </Text>
      <ConfirmAction
        title={`Revoke the invitation of ${email}?`}
        text="The link in the e-mail stops working."
        verb="Revoke invitation"
        act={() => revoke.mutateAsync({ fullname: workspace, id })}
      >
        {(open) => (
          <DangerButton size="xs" onClick={open} aria-label={`Revoke the invitation of ${email}`}>
            Revoke
          </DangerButton>
        )}
      </ConfirmAction>
    </Group>
  )
}
