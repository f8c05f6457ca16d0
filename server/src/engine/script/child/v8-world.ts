import { installGuest } from './guest.ts'
import { guestLimits } from './guest-code.ts'
import { makeHelpers } from './guest-helpers.ts'
import { sealWorld } from './seal-v8.ts'
import { namesOfQuickjs, tameV8 } from './tame-v8.ts'
import { addBase64 } from './v8-base64.ts'
import { makeTextPlain } from './v8-plain-text.ts'

/** What a world can be asked; `run` takes the context as JSON and the clock. Answers are strings, as guest.ts has them. */
export type Question = 'run' | 'finish' | 'logs' | 'told'

/**
 * Our own code inside a world of V8, as the text that is sent there. Its value takes the script, closes the world for
 * changes, and gives the function that is asked. `told` is what `run` told, should something after it fail.
 */
export const worldCode = `'use strict';
(() => {
  const begin = (${tameV8})(${JSON.stringify(namesOfQuickjs)});
  (${makeTextPlain})();
  (${addBase64})();
  const helpers = (${makeHelpers})();
  const guest = (${installGuest})(${JSON.stringify(guestLimits)}, helpers);
  let told = '';
  const run = (script, json, nowMs) => {
    told = '';
    begin(nowMs);
    return told = guest.run(script, json, nowMs);
  };
  return (script) => {
    (${sealWorld})([script, helpers]);
    return (question, json, nowMs) =>
      question === 'run' ? run(script, json, nowMs) : question === 'told' ? told : guest[question]();
  };
})()`
