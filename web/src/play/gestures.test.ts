import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { swipeSteps, wheelSteps } from "./gestures";

let made: number[] = [];
let busy = false;
const steps = { step: (by: number) => void made.push(by), busy: () => busy, length: () => 5 };
let element: HTMLElement;

beforeEach(() => {
  made = [];
  busy = false;
  element = document.body.appendChild(document.createElement("div"));
});
afterEach(() => element.remove());

function swipe(x: number, y = 0, pointerType = "touch"): void {
  const fire = (type: string, clientX: number, clientY: number) => {
    const event = new MouseEvent(type, { clientX, clientY, bubbles: true });
    element.dispatchEvent(Object.assign(event, { pointerType, isPrimary: true }));
  };
  fire("pointerdown", 100, 100);
  fire("pointerup", 100 + x, 100 + y);
}

describe("a swipe", () => {
  it("to the right goes back, to the left goes on", () => {
    swipeSteps(steps, true)(element);
    swipe(80);
    swipe(-80);
    expect(made).toEqual([-1, 1]);
  });

  it("that is short, slanting or a mouse is none", () => {
    swipeSteps(steps, true)(element);
    swipe(20);
    swipe(60, 50);
    swipe(80, 0, "mouse");
    expect(made).toEqual([]);
  });

  it("belongs to the board while there is something to do on it", () => {
    const stop = swipeSteps(steps, true)(element);
    busy = true;
    swipe(80);
    expect(made).toEqual([]);
    stop();
    swipeSteps(steps, false)(element);
    swipe(80);
    expect(made).toEqual([-1]);
  });
});

describe("the wheel", () => {
  const turn = (deltaY: number, ctrlKey = false) => {
    const event = new WheelEvent("wheel", { deltaY, ctrlKey, cancelable: true });
    element.dispatchEvent(event);
    return event.defaultPrevented;
  };

  it("steps once it has been turned far enough, and keeps the page still", () => {
    wheelSteps(steps)(element);
    expect(turn(-30)).toBe(true);
    expect(made).toEqual([]);
    turn(-30);
    expect(made).toEqual([-1]);
  });

  it("leaves zooming alone", () => {
    wheelSteps(steps)(element);
    expect(turn(-100, true)).toBe(false);
    expect(made).toEqual([]);
  });
});
