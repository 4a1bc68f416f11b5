// Occurrence nets with read arcs (004 Def. 8 and 18).
#pragma once
