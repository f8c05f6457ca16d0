import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { LinkButton } from '../../components/links.tsx'
import { useChange } from '../../data/changes.ts'
import { useMe } from '../../data/session.ts'
import { rememberWorkspace, useCurrentWorkspace } from '../../data/workspace.ts'
import { createUnderFreeName, nameFrom } from '../../forms/names.ts'

type SubscribeButtonProps = {
  project: string
  /** Set on a card among others: the button is small, and its name for screen readers has the title. */
  title?: string
}

/** Shown to every account. An account without a workspace creates one first, because a subscription belongs to a workspace. */
export function SubscribeButton({ project, title }: SubscribeButtonProps) {
  const { current, isLoading } = useCurrentWorkspace()
  const looks = looksOf(title)
  if (current)
    return (
      <LinkButton
        to="/w/$workspace/subscriptions/new"
        params={{ workspace: current.fullname }}
        search={{ project }}
        {...looks}
      >
        Subscribe
      </LinkButton>
    )
  if (isLoading)
    return (
      <Button loading {...looks}>
        Subscribe
      </Button>
    )
  return <CreateAndSubscribe project={project} looks={looks} />
}

function looksOf(title: string | undefined) {
  return title === undefined ? {} : { size: 'xs', 'aria-label': `Subscribe to ${title}` }
}

function CreateAndSubscribe({ project, looks }: { project: string; looks: ReturnType<typeof looksOf> }) {
  const { data: me } = useMe()
  const navigate = useNavigate()
  const create = useChange('saveWorkspace')
  const start = async () => {
    const wanted = nameFrom(me?.email.split('@')[0] ?? '') || 'personal'
    const workspace = await createUnderFreeName(wanted, ['already_exists', 'reserved_name'], (fullname) =>
      create.mutateAsync({ fullname, body: { fullname, createOnly: true, meta: { title: 'Personal workspace' } } }),
    )
    rememberWorkspace(workspace)
    await navigate({ to: '/w/$workspace/subscriptions/new', params: { workspace }, search: { project } })
  }
  return (
    <ConfirmAction
      title="Create a workspace first?"
      text="A subscription belongs to a workspace, and you have none. This creates a personal workspace for you."
      verb="Create workspace and subscribe"
      isDestructive={false}
      act={start}
    >
      {(open) => (
        <Button onClick={open} {...looks}>
          Subscribe
        </Button>
      )}
    </ConfirmAction>
  )
}
