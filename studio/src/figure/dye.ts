// Colours with crisp borders on a mesh: triangles are cut where the nearest colour changes.
//
// For every colour there is a distance (to the nearest shape of that colour). A vertex wears the nearest colour. Along an
// edge whose ends differ, the border lies where the two distances are equal; there the triangle is cut, and the new
// vertices are made twice, once in each colour.

/** A vertex array that can make a new vertex between two others; returns its index. */
export type Between = (a: number, b: number, part: number) => number;

/**
 * Colours the triangles of a patch: returns triangles, and the colour of every vertex, old and new.
 * `distances[v]` holds the distance of vertex v to each colour.
 */
export function dye(
  triangles: number[],
  distances: number[][],
  between: Between,
): { triangles: number[]; wears: number[] } {
  const wears = distances.map(nearest);
  const made = new Map<string, number>();
  const out: number[] = [];

  /** The vertex at the border between a and b, in the colour of a. */
  const border = (a: number, b: number): number => {
    const key = `${a} ${b}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const [p, q] = [wears[a], wears[b]];
    // positive at both ends: how much nearer the own colour is
    const [here, there] = [distances[a][q] - distances[a][p], distances[b][p] - distances[b][q]];
    const vertex = between(a, b, here / (here + there || 1));
    wears[vertex] = p;
    made.set(key, vertex);
    return vertex;
  };

  for (let n = 0; n < triangles.length; n += 3) {
    const [a, b, c] = [wears[triangles[n]], wears[triangles[n + 1]], wears[triangles[n + 2]]];
    if (a === b && b === c) {
      out.push(triangles[n], triangles[n + 1], triangles[n + 2]);
      continue;
    }
    // turn the triangle so that the odd corner comes first; with three colours the others share a border by halves
    const odd = b === c ? 0 : a === c ? 1 : 2;
    const [o, u, v] = [0, 1, 2].map(k => triangles[n + ((odd + k) % 3)]);
    out.push(o, border(o, u), border(o, v));
    const [ou, ov] = [border(u, o), border(v, o)];
    out.push(ou, u, v, ou, v, ov);
  }
  return { triangles: out, wears };
}

function nearest(distances: number[]): number {
  return distances.reduce((best, d, i) => (d < distances[best] ? i : best), 0);
}
