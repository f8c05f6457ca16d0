import { type Policy, policyOfType } from '@tocsin/contract'
import type { Store } from '../../store/index.ts'

/**
 * An absence counts from the moment a subscription is saved or resumed. The loops find the listeners of the subscription, since
 * the policy may be that of a template's rule.
 */
export async function beginAbsence(
  store: Store,
  subscriptionId: string,
  { policy, templateId }: { policy: Policy; templateId: string | null },
): Promise<void> {
  if (!policyOfType(policy?.type)?.beginsAtSave && templateId === null) return
  await store.jobs.add('policy', [{ data: { beginSubscription: subscriptionId } }])
}
