import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { LinkText } from '../../components/links.tsx'
import { PageFailure } from '../../components/loaded.tsx'
import { Page } from '../../components/page.tsx'
import { PageLoading } from '../../components/page-loading.tsx'
import { useEntity } from '../../data/queries.ts'
import { useTitles } from '../../layouts/alert/use-titles.ts'
import { StackNotice } from '../../layouts/stack-notice.tsx'
import { draftOf } from './model/draft.ts'
import { nameOf } from './model/subscription.ts'
import { Wizard } from './wizard/wizard.tsx'

export function EditSubscriptionPage() {
  const { workspace, subscription: id } = useParams({ from: '/shell/w/$workspace/subscriptions/$subscription/edit' })
  const titles = useTitles(workspace)
  const { data, error, refetch } = useEntity('getSubscription', { id })
  // The version that was loaded first. The refetch after a save must not reset the form.
  const [loaded, setLoaded] = useState(data)
  if (data && !loaded) setLoaded(data)
  if (!loaded)
    return error ? <PageFailure title="Subscription" error={error} retry={() => void refetch()} /> : <PageLoading />
  return (
    <Page
      title={`Edit ${nameOf(loaded.view, titles.trigger)}`}
      breadcrumb={
        <LinkText to="/w/$workspace/subscriptions/$subscription" params={{ workspace, subscription: id }}>
          {nameOf(loaded.view, titles.trigger)}
        </LinkText>
      }
    >
      <StackNotice
        workspace={workspace}
        kind="subscription"
        name={loaded.view.key}
        labels={loaded.view.labels}
        isEdited
      />
      <Wizard key={id} workspace={workspace} initial={draftOf(loaded.view)} editing={loaded} />
    </Page>
  )
}
