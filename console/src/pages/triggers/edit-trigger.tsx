import { useParams } from '@tanstack/react-router'
import { useEntity } from '../../data/queries.ts'
import { ErrorNotice } from '../../parts/error-notice.tsx'
import { LinkText } from '../../parts/link-text.tsx'
import { Page } from '../../parts/page.tsx'
import { PageLoading } from '../../shell/page-loading.tsx'
import { BuilderView } from './builder.tsx'

/** The builder begins with the draft, else with what is published; what others save meanwhile does not disturb typing. */
export function EditTriggerPage() {
  const { workspace, trigger } = useParams({ from: '/shell/w/$workspace/triggers/$trigger/edit' })
  const draft = useEntity('getTriggerDraft', { fullname: trigger })
  const published = useEntity('getTrigger', { fullname: trigger })
  if (draft.error && !draft.data)
    return (
      <Page title="Trigger" above={<ToTriggers workspace={workspace} />}>
        <ErrorNotice error={draft.error} retry={() => void draft.refetch()} />
      </Page>
    )
  if (!draft.data || published.isPending) return <PageLoading />
  return <BuilderView key={trigger} draft={draft.data.view} published={published.data} />
}

export function ToTriggers({ workspace }: { workspace: string }) {
  return (
    <LinkText to="/w/$workspace/triggers" params={{ workspace }}>
      Triggers
    </LinkText>
  )
}
