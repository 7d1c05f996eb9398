// Colours of a figure: the model's own, with left slightly warm and right slightly cool.

import { Color } from 'three';
import type { Part, Shape } from '../run/scene';

/** For shapes without a colour. */
const PLAIN = new Color(0.62, 0.64, 0.68);
/** MuJoCo's grey, which models have that say nothing of colour: drawn as the plain one. */
const UNSAID = 0.5;

const TINT = { left: new Color(1.07, 1.0, 0.93), right: new Color(0.94, 1.0, 1.07) };

/** Colour of a shape on a part, in the renderer's linear values; `plain` when the model says nothing of it. */
export function paint(shape: Shape, part: Part, plain = PLAIN): Color {
  const rgb = shape.color;
  const said = rgb && rgb.slice(0, 3).some(c => c !== UNSAID);
  const color = said ? new Color().setRGB(rgb[0], rgb[1], rgb[2], 'srgb') : plain.clone();
  return part.side ? color.multiply(TINT[part.side]) : color;
}
