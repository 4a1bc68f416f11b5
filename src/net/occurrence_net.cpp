#include "net/occurrence_net.h"
