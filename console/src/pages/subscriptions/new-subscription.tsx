import { useSearch } from '@tanstack/react-router'
import { LinkText } from '../../components/links.tsx'
import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../data/workspace.ts'
import { emptyDraft } from './model/draft.ts'
import { Wizard } from './wizard/wizard.tsx'

export function NewSubscriptionPage() {
  const { fullname: workspace } = useWorkspace()
  const { project = '', trigger = '' } = useSearch({ from: '/shell/w/$workspace/subscriptions/new' })
  return (
    <Page
      title="New subscription"
      about="Nothing is sent until you activate it."
      breadcrumb={
        <LinkText to="/w/$workspace/subscriptions" params={{ workspace }}>
          Subscriptions
        </LinkText>
      }
    >
      <Wizard
        key={workspace}
        workspace={workspace}
        initial={{ ...emptyDraft, project, trigger, kind: trigger === '' ? 'template' : 'trigger' }}
      />
    </Page>
  )
}
