import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '@tocsin/sdk'
import { ConfirmAction } from '../../components/confirm-action.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { useChange } from '../../data/changes.ts'
import { useMe } from '../../data/session.ts'
import { rememberWorkspace, useCurrentWorkspace } from '../../data/workspace.ts'
import { nameFrom } from '../../forms/names.ts'

/** Shown to every account. An account without a workspace creates one first, because a subscription belongs to a workspace. */
export function SubscribeButton({ project }: { project: string }) {
  const { current, isLoading } = useCurrentWorkspace()
  if (current)
    return (
      <LinkButton to="/w/$workspace/subscriptions/new" params={{ workspace: current.fullname }} search={{ project }}>
        Subscribe
      </LinkButton>
    )
  return isLoading ? <Button loading>Subscribe</Button> : <CreateAndSubscribe project={project} />
}

function CreateAndSubscribe({ project }: { project: string }) {
  const { data: me } = useMe()
  const navigate = useNavigate()
  const create = useChange('saveWorkspace')
  const start = async () => {
    const workspace = await createFirstFree(nameFrom(me?.email.split('@')[0] ?? '') || 'personal', (fullname) =>
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
      {(open) => <Button onClick={open}>Subscribe</Button>}
    </ConfirmAction>
  )
}

const triesMax = 20

/** Tries `ann`, `ann-2`, `ann-3` …, because only the service knows which names are taken or reserved. */
async function createFirstFree(base: string, create: (fullname: string) => Promise<unknown>): Promise<string> {
  for (let number = 1; ; number++) {
    const fullname = number === 1 ? base : `${base.slice(0, 60)}-${number}`
    try {
      await create(fullname)
      return fullname
    } catch (error) {
      const isTaken = error instanceof ApiError && ['already_exists', 'reserved_name'].includes(error.code)
      if (!isTaken || number === triesMax) throw error
    }
  }
}
