import { makeKeccak } from '../abi/guest-keccak.ts'
import { alignV8WithQuickjs, namesOfQuickjs } from './align-v8.ts'
import { freezeRealm } from './freeze-realm.ts'
import { installGuest } from './guest.ts'
import { guestLimits } from './guest-code.ts'
import { makeHelpers } from './guest-helpers.ts'
import { addBase64 } from './v8-base64.ts'
import { removeLocales } from './v8-locale.ts'

/** A request to a realm. `run` takes the context as JSON and the time. Answers are strings in the form of guest.ts. */
export type RealmRequest = 'run' | 'finish' | 'logs' | 'answer'

/**
 * The source text of our own code inside a V8 realm. It evaluates to a function that takes the script, freezes the realm,
 * and returns the function that handles requests. The request `answer` returns the last answer of `run`, for the case that a job
 * failed after it.
 */
export const realmCode = `'use strict';
(() => {
  const begin = (${alignV8WithQuickjs})(${JSON.stringify(namesOfQuickjs)});
  (${removeLocales})();
  (${addBase64})();
  const helpers = (${makeHelpers})();
  const guest = (${installGuest})(${JSON.stringify(guestLimits)}, helpers, (${makeKeccak})());
  let answer = '';
  const run = (script, json, nowMs) => {
    answer = '';
    begin(nowMs);
    return answer = guest.run(script, json, nowMs);
  };
  return (script) => {
    (${freezeRealm})([script, helpers]);
    return (request, json, nowMs) =>
      request === 'run' ? run(script, json, nowMs) : request === 'answer' ? answer : guest[request]();
  };
})()`
