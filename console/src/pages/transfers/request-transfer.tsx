import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { EmptyState } from '../../components/empty-state.tsx'
import { ErrorNotice } from '../../components/error-notice.tsx'
import { IconTransfer } from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'
import { useChange } from '../../data/changes.ts'
import { FormFooter } from '../../forms/form-footer.tsx'
import { nameIssue } from '../../forms/names.ts'
import { useForm } from '../../forms/use-form.ts'
import type { Project } from '../../layouts/project/access.ts'
import { ProjectLayout } from '../../layouts/project/project-layout.tsx'
import { PlanDiff } from './plan-diff.tsx'

export function RequestTransferPage() {
  return (
    <ProjectLayout>
      {({ view }) =>
        view.level === 'owner' ? (
          <RequestTransfer project={view} />
        ) : (
          <EmptyState
            icon={IconTransfer}
            title="For owners"
            text="An owner of this workspace can hand the project over."
          />
        )
      }
    </ProjectLayout>
  )
}

/** First the plan, then the request that holds exactly that plan. */
function RequestTransfer({ project: { fullname, name, workspace } }: { project: Project }) {
  const navigate = useNavigate()
  const plan = useChange('planTransfer')
  const request = useChange('createTransferRequest', {
    said: 'The request was sent; an owner of the other workspace decides.',
    after: () => navigate({ to: '/w/$workspace/transfers', params: { workspace }, search: { direction: 'outgoing' } }),
  })
  const form = useForm({
    initial: { targetWorkspace: '', targetName: name },
    check: ({ targetWorkspace, targetName }) => [
      ...nameIssue('targetWorkspace', targetWorkspace),
      ...nameIssue('targetName', targetName),
    ],
    save: (body) => plan.mutateAsync({ fullname, body }),
  })
  const found = plan.data
  return (
    <>
      <Section
        title="Hand the project over"
        about="The project moves only after an owner of the target workspace has accepted. Triggers go on running."
      >
        <form onSubmit={form.submit} noValidate>
          <Stack gap="md">
            <TextInput
              label="Target workspace"
              description="Its name, as its members see it in their settings."
              {...form.text('targetWorkspace')}
            />
            <TextInput label="Name there" {...form.text('targetName')} />
            <FormFooter
              failure={form.failure}
              isSaving={form.isSaving}
              verb="Show the plan"
              shownElsewhere={(path) => path in form.values}
            />
          </Stack>
        </form>
      </Section>
      {found && (
        <Section title="Plan" about="What would change. Nothing has changed yet.">
          <Stack gap="md">
            <PlanDiff plan={found} />
            <ErrorNotice error={request.error} />
            {found.conflicts.length === 0 && (
              <Button
                style={{ alignSelf: 'flex-start' }}
                loading={request.isPending}
                onClick={() =>
                  request.mutate({
                    fullname,
                    body: {
                      targetWorkspace: found.target.workspace,
                      targetName: found.target.name,
                      expectedPlanHash: found.planHash,
                    },
                  })
                }
              >
                Send the request
              </Button>
            )}
          </Stack>
        </Section>
      )}
    </>
  )
}
